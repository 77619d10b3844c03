import { expect, test } from "vitest";
import { letters } from "./code";

test("a code is read the way people type it", () => {
  for (const typed of ["BCDF-GHJK", "bcdfghjk", " bcdf ghjk ", "B-C-D-F-G-H-J-K"])
    expect(letters(typed)).toBe("BCDF-GHJK");
});

test("what has a vowel, a digit or another length is none", () => {
  for (const typed of ["", "BCDF", "BCDF-GHJA", "BCDF-GHJ1", "BCDF-GHJKL", "<b>CDFGHJK"])
    expect(letters(typed)).toBeNull();
});
