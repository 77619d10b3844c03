import { Link, type LinkProps } from "react-router";
import { cx } from "@/lib/cx";
import css from "./Button.module.css";

type Props = LinkProps & { kind?: "primary" | "plain" | "quiet"; size?: "m" | "s" };

/** Goes somewhere, looks like a button. */
export function LinkButton({ kind = "plain", size = "m", className, ...rest }: Props) {
  return <Link {...rest} className={cx(css.button, css[kind], size === "s" && css.small, className)} />;
}
