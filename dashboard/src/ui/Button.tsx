import type { ComponentProps } from "react";
import { cx } from "@/lib/cx";
import css from "./Button.module.css";
import { Spinner } from "./Spinner";

type Props = ComponentProps<"button"> & {
  kind?: "primary" | "plain" | "quiet" | "danger";
  size?: "m" | "s";
  /** Under way: it cannot be pressed again, and says so. */
  busy?: boolean;
};

export function Button({ kind = "plain", size = "m", busy, className, children, disabled, ...rest }: Props) {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      className={cx(css.button, css[kind], size === "s" && css.small, className)}
    >
      {busy && <Spinner />}
      {children}
    </button>
  );
}
