import { type ReactNode, useEffect } from "react";
import { escapeLine } from "@/lib/visible";
import css from "./Page.module.css";
import { shown } from "./shown";

type Props = { title: string; lead?: ReactNode; actions?: ReactNode; children: ReactNode };

/** The frame of a screen: its name, what it is for, what can be done on all of it. */
export function Page({ title: words, lead, actions, children }: Props) {
  const title = escapeLine(words);
  useEffect(() => {
    document.title = `${title} · Proliferate`;
  }, [title]);
  return (
    <div className={css.page}>
      <header className={css.head}>
        <div className={css.words}>
          <h1>{title}</h1>
          {lead && <p className={css.lead}>{shown(lead)}</p>}
        </div>
        {actions && <div className="row">{actions}</div>}
      </header>
      {children}
    </div>
  );
}
