import { describe, expect, it } from "vitest";
import { asked } from "./asked";

describe("what an agent asked for", () => {
  it("is read as far as it can be understood", () => {
    const args = {
      keys: [
        { key: "A", description: "the first", suggestions: [{ label: "one", value: "1" }] },
        { key: "B", required: false, suggestions: "none" },
        { description: "no name" },
        "C",
      ],
    };
    expect(asked(args)).toEqual([
      { key: "A", description: "the first", required: true, suggestions: [{ label: "one", value: "1" }] },
      { key: "B", description: undefined, required: false, suggestions: [] },
    ]);
  });

  it("is nothing where there are no keys", () => {
    expect(asked({})).toEqual([]);
  });
});
