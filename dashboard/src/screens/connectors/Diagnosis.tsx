import { escapeLine, escapeText } from "@/lib/visible";
import { Risk } from "@/parts/Risk";
import { Note } from "@/ui/Note";
import { HELP } from "./form";
import type { Validation } from "./queries";

/** How trying a connector out went. */
export function Diagnosis({ found }: { found: Validation }) {
  const { ok, tools, notes = [], diagnostics, error } = found;
  if (!ok)
    return (
      <Note tone="bad" title={`It does not work: ${diagnostics?.class ?? "unknown"}.`}>
        <p>{escapeText(diagnostics?.message ?? error ?? "")}</p>
        <p className="small">{HELP[diagnostics?.class ?? "unknown"]} It can be saved all the same.</p>
      </Note>
    );
  return (
    <Note tone="good" title={`It works, with ${tools.length} ${tools.length === 1 ? "tool" : "tools"}.`}>
      <ul>
        {tools.slice(0, 20).map(({ name, riskLevel }) => (
          <li key={name}>
            <code>{escapeLine(name)}</code> <Risk level={riskLevel} />
          </li>
        ))}
        {tools.length > 20 && <li>and {tools.length - 20} more</li>}
        {notes.map((note) => (
          <li key={note}>{escapeText(note)}</li>
        ))}
      </ul>
    </Note>
  );
}
