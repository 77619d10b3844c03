import type { ReactNode } from "react";
import css from "./Filters.module.css";

/** What narrows a list down, in a line above it. */
export function Filters({ children, label = "Filters" }: { children: ReactNode; label?: string }) {
  return (
    <search className={css.filters} aria-label={label}>
      {children}
    </search>
  );
}
