import { Page } from "@/ui/Page";

export default function PolicyScreen() {
  return <Page title="Policy">{null}</Page>;
}
