import { Page } from "@/ui/Page";

export default function AutomationsScreen() {
  return <Page title="Automations">{null}</Page>;
}
