import type { ReactNode } from "react";
import { cx } from "@/lib/cx";
import css from "./Badge.module.css";

export type Tone = "neutral" | "good" | "warn" | "bad" | "info" | "accent";

/** A short fact. The words say it; the colour only helps to find it. */
export function Badge({
  tone = "neutral",
  dot,
  children,
}: {
  tone?: Tone;
  dot?: boolean;
  children: ReactNode;
}) {
  return (
    <span className={cx(css.badge, css[tone])}>
      {dot && <span className={css.dot} aria-hidden="true" />}
      {children}
    </span>
  );
}
