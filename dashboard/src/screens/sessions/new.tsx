import { Page } from "@/ui/Page";

export default function NewSessionScreen() {
  return <Page title="New session">{null}</Page>;
}
