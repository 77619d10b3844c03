import { Page } from "@/ui/Page";

export default function SecretsScreen() {
  return <Page title="Secrets">{null}</Page>;
}
