import { describe, expect, it } from "vitest";
import { type Draft, request, shape } from "./draft";

const draft: Draft = {
  integration: "linear",
  action: "create_issue",
  scope: "org",
  sessionId: "",
  maxCalls: "20",
  days: "7",
  conditions: [],
};

describe("a grant as it is filled in", () => {
  it("becomes what the API takes", () => {
    const now = Date.parse("2030-01-01T00:00:00Z");
    const conditions: Draft["conditions"] = [
      { pointer: "/teamId", kind: "oneOf", value: "ENG, OPS" },
      { pointer: "/count", kind: "equals", value: "3" },
      { pointer: "/path", kind: "prefix", value: "docs/" },
    ];
    expect(request({ ...draft, conditions }, now)).toEqual({
      integration: "linear",
      action: "create_issue",
      scope: "org",
      sessionId: null,
      maxCalls: 20,
      expiresAt: "2030-01-08T00:00:00.000Z",
      predicates: [
        { pointer: "/teamId", oneOf: ["ENG", "OPS"] },
        { pointer: "/count", equals: 3 },
        { pointer: "/path", prefix: "docs/" },
      ],
    });
  });

  it.each([
    [{ maxCalls: "0" }, "maxCalls"],
    [{ maxCalls: "many" }, "maxCalls"],
    [{ days: "-1" }, "days"],
    [{ scope: "session" }, "sessionId"],
    [{ conditions: [{ pointer: "teamId", kind: "equals", value: "x" }] }, "conditions"],
  ])("%j is refused by its field", (change, field) => {
    const { error } = shape.safeParse({ ...draft, ...change });
    expect(error?.issues[0]?.path[0]).toBe(field);
  });
});
