import { Page } from "@/ui/Page";

export default function SessionScreen() {
  return <Page title="Session">{null}</Page>;
}
