import type { ReactNode } from "react";
import { cx } from "@/lib/cx";
import css from "./Card.module.css";
import { shown } from "./shown";

type Props = {
  title?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  flush?: boolean;
  className?: string;
};

/** A surface with an optional heading; `flush` leaves the inside to its content. */
export function Card({ title, actions, children, flush, className }: Props) {
  return (
    <section className={cx(css.card, className)}>
      {(title || actions) && (
        <header className={css.head}>
          {title && <h2 className={css.title}>{shown(title)}</h2>}
          {actions && <div className="row">{actions}</div>}
        </header>
      )}
      <div className={cx(!flush && css.body)}>{children}</div>
    </section>
  );
}
