// The move of a session to a fresh sandbox, in words.

import { plural } from "@/lib/plural";
import { duration } from "@/lib/time";

/** How far a move is, as the gateway tells it. */
export type Migration = {
  state: "started" | "completed" | "failed" | "stranded";
  reason: "expiry" | "asked";
  gapMs?: number;
  queued?: number;
  lost?: string[];
  error?: string;
  retryAt?: number;
};

export type MigrationFrame = { type: "migration"; seq?: number; payload: Migration };

/** What stays in the transcript of it; nothing while it is under way. */
export function afterwards(move: Migration): { text: string; tone: "neutral" | "good" | "bad" } | null {
  const { state, gapMs, queued = 0, lost = [], error, retryAt } = move;
  const why = error ? `: ${error}` : "";
  switch (state) {
    case "started":
      return null;
    case "completed": {
      const waited = gapMs === undefined ? "" : ` Prompts waited ${duration(gapMs)}.`;
      const delivered = queued > 0 ? ` ${plural(queued, "prompt")} delivered.` : "";
      const left = lost.length > 0 ? ` Not brought along: ${lost.join(" ")}` : "";
      return {
        text: `The session moved to a fresh sandbox.${waited}${delivered}${left}`,
        tone: left ? "bad" : "good",
      };
    }
    case "failed": {
      const again = retryAt === undefined ? "" : " It is tried again.";
      return {
        text: `The move to a fresh sandbox failed${why}. The session goes on where it was.${again}`,
        tone: "bad",
      };
    }
    case "stranded":
      return {
        text: `The move to a fresh sandbox failed${why}. There is none now; the next prompt makes one.`,
        tone: "bad",
      };
  }
}
