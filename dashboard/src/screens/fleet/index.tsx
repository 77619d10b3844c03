import { Page } from "@/ui/Page";

export default function FleetScreen() {
  return <Page title="Fleet">{null}</Page>;
}
