import { Page } from "@/ui/Page";

export default function ConnectorsScreen() {
  return <Page title="Connectors">{null}</Page>;
}
