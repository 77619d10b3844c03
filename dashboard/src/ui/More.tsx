import { Button } from "./Button";
import css from "./More.module.css";

type Pages = { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };

/** The next page, below a list that has one. */
export function More({ of }: { of: Pages }) {
  if (!of.hasNextPage) return null;
  return (
    <div className={css.more}>
      <Button busy={of.isFetchingNextPage} onClick={() => void of.fetchNextPage()}>
        Show more
      </Button>
    </div>
  );
}
