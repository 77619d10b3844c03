import type { ReactNode } from "react";
import css from "./Notice.module.css";

/** Nothing is here, and what to do about it. */
export function Empty({
  title,
  children,
  action,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className={css.notice}>
      <p className={css.title}>{title}</p>
      {children && <div className={css.words}>{children}</div>}
      {action}
    </div>
  );
}
