import { escapeLine, escapeText } from "@/lib/visible";
import css from "./Asks.module.css";
import type { Suggestion } from "./asked";

/** Answers to choose from, and how to come by others. */
export function Suggestions({ of, onChoose }: { of: Suggestion[]; onChoose: (value: string) => void }) {
  if (of.length === 0) return null;
  return (
    <div className={css.choices}>
      {of.map(({ label, value, instructions }) =>
        value ? (
          <button
            key={label}
            type="button"
            className={css.choice}
            title={instructions ? escapeText(instructions) : undefined}
            onClick={() => onChoose(value)}
          >
            {escapeLine(label)}
          </button>
        ) : (
          <p key={label} className="muted small">
            <b>{escapeLine(label)}</b> {escapeText(instructions ?? "")}
          </p>
        ),
      )}
    </div>
  );
}
