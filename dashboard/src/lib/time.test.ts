import { describe, expect, it } from "vitest";
import { countdown, duration, relative } from "./time";

describe("times in words", () => {
  it.each([
    [-1_000, "just now"],
    [20_000, "in a moment"],
    [-60_000, "1 minute ago"],
    [-3 * 3_600_000, "3 hours ago"],
    [5 * 60_000, "in 5 minutes"],
    [-86_400_000, "yesterday"],
  ])("%i ms from now is %s", (distance, words) => {
    expect(relative(1e12 + distance, 1e12)).toBe(words);
  });

  it.each([
    [0, "0:00"],
    [-5, "0:00"],
    [61_000, "1:01"],
    [3_700_000, "1 h 1 min"],
  ])("%i ms left is %s", (left, words) => {
    expect(countdown(left)).toBe(words);
  });

  it.each([
    [12, "12 ms"],
    [1_500, "1.5 s"],
    [61_000, "1 min 1 s"],
    [120_000, "2 min"],
    [7_200_000, "2 h"],
  ])("%i ms took %s", (ms, words) => {
    expect(duration(ms)).toBe(words);
  });
});
