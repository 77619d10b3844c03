import css from "./Notice.module.css";
import { Spinner } from "./Spinner";

export function Loading({ what = "Loading" }: { what?: string }) {
  return (
    <div className={css.loading} role="status">
      <Spinner /> {what}…
    </div>
  );
}
