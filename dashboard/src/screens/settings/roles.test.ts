import { describe, expect, it } from "vitest";
import { mayChange } from "./roles";

describe("who may change whose role", () => {
  it.each([
    ["owner", "owner", true],
    ["owner", "member", true],
    ["admin", "admin", true],
    ["admin", "owner", false],
    ["member", "member", false],
    [undefined, "member", false],
  ] as const)("%s of %s: %s", (mine, theirs, may) => {
    expect(mayChange(mine, theirs) === null).toBe(may);
  });
});
