import { Button } from "./Button";

type Props = { page: number; size: number; total: number; onPage: (page: number) => void };

/** Which part of a list is shown, and the way to the others. */
export function Pager({ page, size, total, onPage }: Props) {
  if (total <= size && page === 0) return null;
  const last = Math.max(0, Math.ceil(total / size) - 1);
  return (
    <nav className="row spread" aria-label="Pages">
      <span className="muted small">
        {Math.min(page * size + 1, total)} to {Math.min((page + 1) * size, total)} of {total}
      </span>
      <span className="row">
        <Button size="s" disabled={page === 0} onClick={() => onPage(page - 1)}>
          Newer
        </Button>
        <Button size="s" disabled={page >= last} onClick={() => onPage(page + 1)}>
          Older
        </Button>
      </span>
    </nav>
  );
}
