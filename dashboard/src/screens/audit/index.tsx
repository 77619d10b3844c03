import { Page } from "@/ui/Page";

export default function AuditScreen() {
  return <Page title="Audit">{null}</Page>;
}
