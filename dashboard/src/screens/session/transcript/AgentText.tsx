import { lazy, Suspense } from "react";
import { escapeProse } from "@/lib/visible";
import type { Entry } from "@/live/entry";
import css from "./Transcript.module.css";

const Markdown = lazy(() => import("@/ui/Markdown"));

/** What the agent says or thinks. */
export function AgentText({ entry }: { entry: Extract<Entry, { kind: "text" | "thinking" }> }) {
  if (!entry.text) return null;
  const words = (
    <Suspense fallback={escapeProse(entry.text)}>
      <Markdown text={entry.text} />
    </Suspense>
  );
  if (entry.kind === "text") return words;
  return (
    <details className={css.thinking} open={entry.streaming}>
      <summary>{entry.streaming ? "Thinking…" : "Thought about it"}</summary>
      {words}
    </details>
  );
}
