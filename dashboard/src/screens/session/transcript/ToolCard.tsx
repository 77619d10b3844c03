import { Check, ChevronRight, CircleX } from "lucide-react";
import { Collapsible } from "radix-ui";
import { duration } from "@/lib/time";
import { escapeLine } from "@/lib/visible";
import type { ToolEntry } from "@/live/entry";
import { CodeBlock } from "@/ui/CodeBlock";
import { Json } from "@/ui/Json";
import { Spinner } from "@/ui/Spinner";
import css from "./ToolCard.module.css";

/** What the call is about, in a line: the argument that says most. */
function gist({ title, args }: ToolEntry): string {
  if (title) return title;
  const telling = args.command ?? args.filePath ?? args.path ?? args.pattern ?? args.url ?? args.description;
  if (typeof telling === "string") return telling.split("\n")[0] ?? "";
  const text = JSON.stringify(args);
  return text === "{}" ? "" : text;
}

function Mark({ status }: { status: ToolEntry["status"] }) {
  if (status === "completed") return <Check aria-hidden className={css.good} />;
  if (status === "error") return <CircleX aria-hidden className={css.bad} />;
  return <Spinner />;
}

const STATE = { pending: "waits", running: "runs", completed: "done", error: "failed" };

/** A call of a tool: one line, and all of it when opened. */
export function ToolCard({ entry }: { entry: ToolEntry }) {
  const took = entry.durationMs === undefined ? "" : ` in ${duration(entry.durationMs)}`;
  return (
    <Collapsible.Root className={css.card} data-status={entry.status}>
      <Collapsible.Trigger className={css.line}>
        <Mark status={entry.status} />
        <b className={css.tool}>{escapeLine(entry.tool)}</b>
        <code className={css.gist}>{escapeLine(gist(entry))}</code>
        <span className={css.state}>
          {STATE[entry.status]}
          {took}
        </span>
        <ChevronRight aria-hidden className={css.chevron} />
      </Collapsible.Trigger>
      <Collapsible.Content className={css.body}>
        <p className={css.label}>Arguments</p>
        {typeof entry.args.command === "string" ? (
          <CodeBlock text={entry.args.command} label="Command" />
        ) : (
          <Json value={entry.args} label="Arguments" />
        )}
        {entry.result !== undefined && (
          <>
            <p className={css.label}>Result{entry.isCut ? ", cut because it was too large" : ""}</p>
            <CodeBlock text={entry.result || "(nothing)"} label="Result" />
          </>
        )}
        {entry.steps?.map(({ id, tool, state }) => (
          <p key={id} className="small">
            <b>{escapeLine(tool)}</b> {escapeLine(state.title ?? "")} · {state.status}
          </p>
        ))}
      </Collapsible.Content>
    </Collapsible.Root>
  );
}
