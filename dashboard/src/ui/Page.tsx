import { type ReactNode, useEffect } from "react";
import css from "./Page.module.css";

type Props = { title: string; lead?: ReactNode; actions?: ReactNode; children: ReactNode };

/** The frame of a screen: its name, what it is for, what can be done on all of it. */
export function Page({ title, lead, actions, children }: Props) {
  useEffect(() => {
    document.title = `${title} · Proliferate`;
  }, [title]);
  return (
    <div className={css.page}>
      <header className={css.head}>
        <div className={css.words}>
          <h1>{title}</h1>
          {lead && <p className={css.lead}>{lead}</p>}
        </div>
        {actions && <div className="row">{actions}</div>}
      </header>
      {children}
    </div>
  );
}
