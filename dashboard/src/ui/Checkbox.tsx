import { type ComponentProps, type ReactNode, useId } from "react";
import css from "./Field.module.css";
import { shown } from "./shown";

export function Checkbox({ label, ...rest }: ComponentProps<"input"> & { label: ReactNode }) {
  const id = useId();
  return (
    <div className={css.check}>
      <input type="checkbox" id={id} {...rest} />
      <label htmlFor={id}>{shown(label)}</label>
    </div>
  );
}
