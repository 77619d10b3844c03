import { expect, it } from "vitest";
import { fold } from "./fold";

const whole = (text: string) =>
  fold(text)
    .map((part) => part.text)
    .join("");

it("leaves a short text as it is", () => {
  expect(fold("one\ntwo")).toEqual([{ text: "one\ntwo" }]);
  expect(fold("")).toEqual([{ text: "" }]);
});

it("folds the middle of a long line, and says how much that is", () => {
  const text = `{\n  "body": "${"a".repeat(20_000)}rm -rf /"\n}`;
  const parts = fold(text);
  expect(parts.map(({ folded }) => folded)).toEqual([undefined, "18,420 characters", undefined]);
  expect(parts[2]?.text).toContain("rm -rf /");
  expect(whole(text)).toBe(text);
});

it("folds the middle of many lines, long ones among them", () => {
  const lines = Array.from({ length: 300 }, (_, at) => (at % 100 === 5 ? "b".repeat(3_000) : `line ${at}`));
  const text = lines.join("\n");
  const folded = fold(text).flatMap((part) => part.folded ?? []);
  expect(folded).toEqual(["1,400 characters", expect.stringMatching(/^250 lines, [\d,]+ characters$/)]);
  expect(whole(text)).toBe(text);
});

it("counts characters and not halves of them", () => {
  expect(fold("👩".repeat(2_001))[1]?.folded).toBe("401 characters");
});
