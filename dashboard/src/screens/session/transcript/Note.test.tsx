import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { api } from "@/api/client";
import type { Frame } from "@/api/live";
import { Conversation } from "@/live/conversation";
import { Note } from "./Note";

const ANSWERS: Record<string, unknown> = {
  "/v1/me": { userId: "user_ada", role: "admin" },
  "/v1/members": { items: [{ userId: "user_bob", name: "Bob" }], hasMore: false },
};

afterEach(() => vi.restoreAllMocks());

/** What Ada reads of a decision. */
async function read(approvedBy: string | undefined, reason: string | undefined, words: string) {
  vi.spyOn(api, "GET").mockImplementation((async (path: string) => ({ data: ANSWERS[path] })) as never);
  const conversation = new Conversation();
  const call = { invocationId: "call", integration: "linear", action: "create_issue" };
  const status = reason ? "denied" : "approved";
  const payload = { ...call, status, approvedBy, reason };
  conversation.apply({ type: "action_approval_result", payload, seq: 1 } as Frame);
  const [entry] = conversation.entries;
  if (entry?.kind !== "note") throw new Error("not a note");
  const { unmount } = render(
    <QueryClientProvider client={new QueryClient()}>
      <Note entry={entry} />
    </QueryClientProvider>,
  );
  await vi.waitFor(() => expect(screen.getByRole("paragraph").textContent?.trim()).toBe(words));
  unmount();
}

it("names who decided, and what they said", async () => {
  await read("user_bob", undefined, "create_issue approved by Bob");
  await read("user_ada", "not today", "create_issue denied by you: not today");
  await read(
    undefined,
    "the time to decide ended without a decision",
    "create_issue denied: the time to decide ended without a decision",
  );
  // A former member of the organization.
  await read("user_eve", undefined, "create_issue approved by user_eve");
});
