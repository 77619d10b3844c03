import { Page } from "@/ui/Page";

export default function ApprovalsScreen() {
  return <Page title="Approvals">{null}</Page>;
}
