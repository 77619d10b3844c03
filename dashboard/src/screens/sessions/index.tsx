import { Page } from "@/ui/Page";

export default function SessionsScreen() {
  return <Page title="Sessions">{null}</Page>;
}
