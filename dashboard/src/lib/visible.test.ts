import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { escapeLine, escapeProse, escapeText, HIDDEN, isHidden } from "./visible";

type Case = { name: string; text: string; line?: string; multiline?: string; prose?: string };
type Fixture = { hidden: [string, string][]; cases: Case[] };
const fixture: Fixture = JSON.parse(readFileSync("../crates/domain/src/visible/cases.json", "utf8"));

/** What was written, from what is shown. */
const read = (shown: string) =>
  shown.replace(/\\u\{([0-9a-f]+)\}/g, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)));

it("has the table that the gateway has", () => {
  expect(HIDDEN.map((range) => range.map((code) => code.toString(16)))).toEqual(fixture.hidden);
  for (let code = 0; code <= 0x10ffff; code += 1) {
    const hidden = HIDDEN.some(([first, last]) => first <= code && code <= last);
    if (isHidden(code) !== hidden) expect.fail(code.toString(16));
  }
});

it.each(fixture.cases)("shows $name as the gateway does", ({ text, line, multiline, prose }) => {
  for (const [shown, expected] of [
    [escapeLine(text), line ?? text],
    [escapeText(text), multiline ?? text],
    [escapeProse(text), prose ?? text],
  ] as const) {
    expect(shown).toBe(expected);
    expect(read(shown)).toBe(text);
  }
});

it("shows half a character as its code", () => {
  expect(escapeLine("a\ud83d b\udc69")).toBe("a\\u{d83d} b\\u{dc69}");
});

it("leaves nothing hidden, and loses nothing", () => {
  const pieces = [
    "\\",
    "\\u{",
    "}",
    "a",
    "é",
    "👩",
    "\u200d",
    "\ufe0f",
    "\u202e",
    "\r\n",
    "\u0000",
    "\u{e0041}",
    "1\ufe0f\u20e3",
  ];
  let seed = 7;
  const next = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed % below;
  };
  for (let round = 0; round < 2_000; round += 1) {
    const text = Array.from({ length: next(12) }, () => pieces[next(pieces.length)]).join("");
    const line = escapeLine(text);
    expect([...line].some((char) => isHidden(char.codePointAt(0) ?? 0))).toBe(false);
    for (const shown of [line, escapeText(text), escapeProse(text)]) expect(read(shown)).toBe(text);
  }
});
