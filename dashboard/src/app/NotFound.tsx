import { Empty } from "@/ui/Empty";
import { LinkButton } from "@/ui/LinkButton";
import { Page } from "@/ui/Page";

export function NotFound() {
  return (
    <Page title="Nothing here">
      <Empty
        title="There is no page at this address."
        action={<LinkButton to="/sessions">Go to sessions</LinkButton>}
      >
        It may have been moved, or the link was cut short.
      </Empty>
    </Page>
  );
}
