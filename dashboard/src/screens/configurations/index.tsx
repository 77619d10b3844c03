import { Page } from "@/ui/Page";

export default function ConfigurationsScreen() {
  return <Page title="Configurations">{null}</Page>;
}
