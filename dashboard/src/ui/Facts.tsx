import type { ReactNode } from "react";
import { escapeLine } from "@/lib/visible";
import css from "./Facts.module.css";
import { shown } from "./shown";

/** Names and values; what has no value is left out. */
export function Facts({ facts }: { facts: [string, ReactNode][] }) {
  const known = facts.filter(([, value]) => value !== undefined && value !== null && value !== "");
  if (known.length === 0) return null;
  return (
    <dl className={css.facts}>
      {known.map(([name, value]) => (
        <div key={name} className={css.fact}>
          <dt>{escapeLine(name)}</dt>
          <dd>{shown(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
