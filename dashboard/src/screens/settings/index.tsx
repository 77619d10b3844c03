import { Page } from "@/ui/Page";

export default function SettingsScreen() {
  return <Page title="Settings">{null}</Page>;
}
