import type { ReactNode } from "react";
import css from "./Note.module.css";
import { shown } from "./shown";

/** Words that should not be overlooked, with what they are about in their colour. */
export function Note({
  tone = "info",
  title,
  children,
}: {
  tone?: "info" | "good" | "warn" | "bad";
  title?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div className={css.note} data-tone={tone} role={tone === "bad" ? "alert" : "status"}>
      {title && <p className={css.title}>{shown(title)}</p>}
      {children}
    </div>
  );
}
