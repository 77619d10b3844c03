import { CircleAlert, CircleCheck, Info } from "lucide-react";
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
        {entry.text}
        {entry.by && (
          <>
            {" by "}
            <Person id={entry.by} />
          </>
        )}
        {entry.why && `: ${entry.why}`}
      </span>
    </p>
  );
}
