import { CircleAlert, CircleCheck, Info } from "lucide-react";
import { escapeLine } from "@/lib/visible";
import type { Entry } from "@/live/entry";
import { Person } from "@/parts/members";
import css from "./Transcript.module.css";

const ICONS = { neutral: Info, good: CircleCheck, bad: CircleAlert };

export function Note({ entry }: { entry: Extract<Entry, { kind: "note" }> }) {
  const Icon = ICONS[entry.tone];
  return (
    <p className={css.note} data-tone={entry.tone}>
      <Icon aria-hidden />{" "}
      <span>
        {escapeLine(entry.text)}
        {entry.by && (
          <>
            {" by "}
            <Person id={entry.by} />
          </>
        )}
        {entry.why && `: ${escapeLine(entry.why)}`}
      </span>
    </p>
  );
}
