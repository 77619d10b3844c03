import { Page } from "@/ui/Page";

export default function GrantsScreen() {
  return <Page title="Grants">{null}</Page>;
}
