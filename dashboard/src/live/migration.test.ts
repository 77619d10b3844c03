import { expect, it } from "vitest";
import { afterwards } from "./migration";

it("says what came of a move", () => {
  const reason = "expiry" as const;
  const said = [
    { state: "started" as const, reason },
    { state: "completed" as const, reason, gapMs: 3_200, queued: 2 },
    { state: "completed" as const, reason, lost: ["A server was not started again."] },
    { state: "failed" as const, reason, error: "no room", retryAt: 1 },
    { state: "stranded" as const, reason },
  ].map((move) => afterwards(move));
  expect(said).toEqual([
    null,
    {
      text: "The session moved to a fresh sandbox. Prompts waited 3.2 s. 2 prompts delivered.",
      tone: "good",
    },
    {
      text: "The session moved to a fresh sandbox. Not brought along: A server was not started again.",
      tone: "bad",
    },
    {
      text: "The move to a fresh sandbox failed: no room. The session goes on where it was. It is tried again.",
      tone: "bad",
    },
    {
      text: "The move to a fresh sandbox failed. There is none now; the next prompt makes one.",
      tone: "bad",
    },
  ]);
});
