import { describe, expect, it } from "vitest";
import type { Frame, LiveMessage, ServerMessage } from "@/api/live";
import { Conversation } from "./conversation";

const message = (id: string, role: "user" | "assistant", more: Partial<LiveMessage> = {}): LiveMessage => ({
  id,
  role,
  content: "",
  isComplete: false,
  createdAt: 1,
  ...more,
});

/** Frames in their order, each with its place. */
function told(...frames: ServerMessage[]): Conversation {
  const conversation = new Conversation();
  frames.forEach((frame, at) => {
    conversation.apply({ ...frame, seq: at + 1 } as Frame);
  });
  return conversation;
}

const texts = ({ entries }: Conversation) =>
  entries.map((entry) => ("text" in entry ? entry.text : entry.kind));

describe("a conversation", () => {
  it("grows by tokens, and the whole text replaces them", () => {
    const of = { messageId: "m", partId: "p" };
    const conversation = told(
      { type: "message", payload: message("m", "assistant") },
      { type: "token", payload: { ...of, token: "I lo" } },
      { type: "token", payload: { ...of, token: "ok" } },
    );
    expect(texts(conversation)).toEqual(["I look"]);
    conversation.apply({ type: "text_part_complete", payload: { ...of, text: "I looked." }, seq: 4 });
    expect(texts(conversation)).toEqual(["I looked."]);
  });

  it("goes on with a text that init showed in the middle", () => {
    const half = message("m", "assistant", { parts: [{ type: "text", text: "I lo" }] });
    const conversation = new Conversation();
    conversation.apply({ type: "init", payload: { messages: [half], seq: 7, status: "running" } });
    conversation.apply({ type: "token", payload: { messageId: "m", partId: "p", token: "ok" }, seq: 8 });
    expect(texts(conversation)).toEqual(["I look"]);
    const whole = { messageId: "m", partId: "p", text: "I look." };
    conversation.apply({ type: "text_part_complete", payload: whole, seq: 9 });
    expect(texts(conversation)).toEqual(["I look."]);
  });

  it("does not take another text of the same message for it", () => {
    const one = message("m", "assistant", { parts: [{ type: "text", text: "First." }] });
    const conversation = new Conversation();
    conversation.apply({ type: "init", payload: { messages: [one], seq: 7, status: "running" } });
    const other = { messageId: "m", partId: "q", text: "Second." };
    conversation.apply({ type: "text_part_complete", payload: other, seq: 8 });
    expect(texts(conversation)).toEqual(["First.", "Second."]);
  });

  it("takes an event once", () => {
    const conversation = told({ type: "error", payload: { code: "agent", message: "no", retryable: false } });
    conversation.apply({
      type: "error",
      payload: { code: "agent", message: "no", retryable: false },
      seq: 1,
    });
    expect(conversation.entries).toHaveLength(1);
    expect(conversation.seq).toBe(1);
  });

  it("keeps what is known of a tool when it is sent again", () => {
    const call = { toolCallId: "c", partId: "p", tool: "bash" };
    const conversation = told(
      { type: "tool_start", payload: { ...call, args: {} } },
      { type: "tool_start", payload: { ...call, args: { command: "ls" } } },
      { type: "tool_end", payload: { ...call, result: "a.rs", durationMs: 3, status: "completed" } },
    );
    expect(conversation.entries).toMatchObject([
      { kind: "tool", args: { command: "ls" }, result: "a.rs", durationMs: 3, status: "completed" },
    ]);
  });

  it("has a form until it is answered, and a decision until it is made", () => {
    const asks = { keys: [{ key: "A" }] };
    const call = { toolCallId: "c", partId: "p", tool: "request_env_variables" };
    const action = {
      invocationId: "i",
      integration: "linear",
      action: "create",
      riskLevel: "write" as const,
    };
    const conversation = told(
      { type: "tool_start", payload: { ...call, args: asks } },
      {
        type: "action_approval_request",
        payload: {
          ...action,
          params: {},
          paramsComplete: true,
          callSha256: "",
          expiresAt: "2030-01-01T00:00:00Z",
        },
      },
    );
    expect([...conversation.envRequests.keys()]).toEqual(["c"]);
    expect([...conversation.approvals.keys()]).toEqual(["i"]);
    conversation.apply({ type: "message", payload: message("u", "user", { content: "A" }), seq: 3 });
    const result = { ...action, status: "denied" as const, reason: "not today" };
    conversation.apply({ type: "action_approval_result", payload: result, seq: 4 });
    expect(conversation.envRequests.size + conversation.approvals.size).toBe(0);
    expect(conversation.entries.at(-1)).toMatchObject({ text: "create denied", why: "not today" });
  });

  it("counts what is said while it moves, and says what came of the move", () => {
    const conversation = told({ type: "status", payload: { status: "migrating" } });
    expect(conversation.moving).toEqual({ reason: "expiry", queued: 0 });
    conversation.apply({ type: "migration", payload: { state: "started", reason: "asked" }, seq: 2 });
    conversation.apply({ type: "message", payload: message("u", "user", { content: "A" }), seq: 3 });
    expect(conversation.moving).toEqual({ reason: "asked", queued: 1 });
    const done = { state: "completed" as const, reason: "asked" as const, queued: 1 };
    conversation.apply({ type: "migration", payload: done, seq: 4 });
    expect(conversation.moving).toBeNull();
    expect(texts(conversation).at(-1)).toContain("1 prompt delivered");
  });

  it("shows the steps of the last boot", () => {
    const step = (stage: "sandbox" | "agent", startedAt: number, durationMs?: number): ServerMessage => ({
      type: "boot_step",
      payload: { stage, startedAt, durationMs },
    });
    const conversation = told(
      step("sandbox", 1),
      step("sandbox", 1, 5),
      step("agent", 6, 2),
      step("sandbox", 90),
    );
    expect(conversation.timeline).toMatchObject([{ stage: "sandbox", startedAt: 90 }]);
    const again = told(step("sandbox", 1), step("sandbox", 1, 5), step("agent", 6, 2));
    expect(again.timeline.map(({ durationMs }) => durationMs)).toEqual([5, 2]);
  });
});
