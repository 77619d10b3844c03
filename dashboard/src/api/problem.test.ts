import { describe, expect, it } from "vitest";
import { Problem } from "./problem";

describe("a problem", () => {
  it("says what the envelope says", async () => {
    const envelope = {
      code: "INVALID_REQUEST",
      detail: "`maxCalls` must be at least 1.",
      hint: "Give a number.",
      request_id: "req-1",
      retryable: false,
      errors: [{ field: "maxCalls", message: "too small" }],
    };
    const problem = await Problem.ofResponse(new Response(JSON.stringify(envelope), { status: 400 }));
    expect(problem).toMatchObject({
      message: envelope.detail,
      hint: envelope.hint,
      requestId: "req-1",
      status: 400,
      fields: envelope.errors,
    });
  });

  it("says why a mediated call was denied", async () => {
    const error = { error_code: "POLICY_DENIED", message: "calls are locked", retryable: false };
    const answer = { outcome: "deny", outcome_reason: "safety_lock", error, output_artifacts: [] };
    const problem = await Problem.ofResponse(new Response(JSON.stringify(answer), { status: 403 }));
    expect(problem).toMatchObject({ code: "POLICY_DENIED", message: "calls are locked", status: 403 });
  });

  it("says something of an answer that is not the API's", async () => {
    const problem = await Problem.ofResponse(new Response("<html>", { status: 502 }));
    expect(problem.message).toBe("The gateway answered 502.");
  });

  it("knows a gateway that cannot be reached", () => {
    expect(Problem.from(new TypeError("Failed to fetch"))).toMatchObject({ status: 0, retryable: true });
  });
});
