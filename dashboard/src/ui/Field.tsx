import { type ReactNode, useId } from "react";
import { escapeText } from "@/lib/visible";
import css from "./Field.module.css";

type Wiring = { id: string; "aria-describedby"?: string; "aria-invalid"?: true; className: string };
type Props = {
  label: ReactNode;
  hint?: ReactNode;
  error?: string;
  optional?: boolean;
  children: (wiring: Wiring) => ReactNode;
};

/** A label, a control and what is wrong with it, wired for screen readers. */
export function Field({ label, hint, error, optional, children }: Props) {
  const id = useId();
  const words = error || hint ? `${id}-words` : undefined;
  return (
    <div className={css.field}>
      <label className={css.label} htmlFor={id}>
        {label} {optional && <span className={css.optional}>optional</span>}
      </label>
      {children({
        id,
        "aria-describedby": words,
        "aria-invalid": error ? true : undefined,
        className: css.control ?? "",
      })}
      {words && (
        <p id={words} className={error ? css.error : css.hint}>
          {error !== undefined ? escapeText(error) : hint}
        </p>
      )}
    </div>
  );
}
