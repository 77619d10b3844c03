import type { ComponentProps, ReactNode } from "react";
import { Failure } from "./Failure";
import css from "./Field.module.css";

/** Fields below each other, what went wrong, and the buttons. */
export function Form({
  error,
  foot,
  children,
  ...rest
}: ComponentProps<"form"> & { error?: unknown; foot?: ReactNode }) {
  return (
    <form noValidate autoComplete="off" {...rest} className={css.form}>
      {children}
      {error ? <Failure error={error} /> : null}
      {foot && <footer className={css.foot}>{foot}</footer>}
    </form>
  );
}
