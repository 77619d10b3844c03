import type { ReactNode } from "react";
import css from "./Banner.module.css";

/** Across a screen: something is not as usual, and that counts for all of it. */
export function Banner({ children }: { children: ReactNode }) {
  return (
    <p className={css.banner} role="status">
      {children}
    </p>
  );
}
