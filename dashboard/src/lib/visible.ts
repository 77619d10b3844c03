// Text from elsewhere as it is shown to users: every character that has no look of its own, or that changes how its
// neighbours look, is written as `\\u{hex}`. The same function as `crates/domain/src/visible.rs`; the table of
// `crates/domain/src/visible/cases.json` holds both to each other.

/** What is never shown as it is, in order. Lone surrogates are among it: the one from here cannot hold them. */
export const HIDDEN: readonly (readonly [number, number])[] = [
  [0x0, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x2800, 0x2800],
  [0x3164, 0x3164],
  [0xd800, 0xdfff],
  [0xfdd0, 0xfdef],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0xfffe, 0xffff],
  [0x13430, 0x1343f],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0x1fffe, 0x1ffff],
  [0x2fffe, 0x2ffff],
  [0x3fffe, 0x3ffff],
  [0x4fffe, 0x4ffff],
  [0x5fffe, 0x5ffff],
  [0x6fffe, 0x6ffff],
  [0x7fffe, 0x7ffff],
  [0x8fffe, 0x8ffff],
  [0x9fffe, 0x9ffff],
  [0xafffe, 0xaffff],
  [0xbfffe, 0xbffff],
  [0xcfffe, 0xcffff],
  [0xdfffe, 0xdffff],
  [0xe0000, 0xe0fff],
  [0xefffe, 0xeffff],
  [0xffffe, 0xfffff],
  [0x10fffe, 0x10ffff],
];
/** The first letter of the scripts that need joiners between letters; emoji are beyond it too. */
const JOINED_FROM = 0x590;
/** The first character that has a picture beside its plain look: the copyright sign. */
const PICTURED_FROM = 0xa9;
const PLAIN = /^[\x20-\x5b\x5d-\x7e]*$/;
type Rule = "line" | "multiline" | "prose";

/** Whether a character is never shown as it is. */
export function isHidden(code: number): boolean {
  let low = 0;
  let high = HIDDEN.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const [first, last] = HIDDEN[middle] as readonly [number, number];
    if (code < first) high = middle - 1;
    else if (code > last) low = middle + 1;
    else return true;
  }
  return false;
}

/** A name, a title, a parameter: what stands on one line and is decided about. Nothing hidden stays. */
export const escapeLine = (text: string): string => write(text, "line");
/** The same for text of several lines: line breaks and tabs stay. */
export const escapeText = (text: string): string => write(text, "multiline");
/** The same for what is read and not decided about: joiners stay too where scripts and emoji need them. */
export const escapeProse = (text: string): string => write(text, "prose");

function write(text: string, rule: Rule): string {
  if (PLAIN.test(text)) return text;
  const shown: string[] = [];
  // The last character, if it stayed as it is.
  let before: number | undefined;
  let at = 0;
  for (const char of text) {
    at += char.length;
    const code = char.codePointAt(0) ?? 0;
    const stays = staysAs(code, before, text, at, rule);
    shown.push(stays ? char : `\\u{${code.toString(16)}}`);
    before = stays ? code : undefined;
  }
  return shown.join("");
}

/** Whether a character stays; `at` is where the text goes on after it. */
function staysAs(code: number, before: number | undefined, text: string, at: number, rule: Rule): boolean {
  switch (code) {
    case 0x5c:
      return !text.startsWith("u{", at);
    case 0x0a:
    case 0x09:
      return rule !== "line";
    case 0x0d:
      return rule !== "line" && text[at] === "\n";
    case 0x200c:
    case 0x200d:
      return rule === "prose" && joins(before, text.codePointAt(at));
    case 0xfe0e:
    case 0xfe0f:
      return rule === "prose" && selects(before, text[at]);
    default:
      return !isHidden(code);
  }
}

/** Whether a joiner stands where scripts and emoji have them. */
function joins(before: number | undefined, after: number | undefined): boolean {
  if (before === undefined || after === undefined) return false;
  return before >= JOINED_FROM && after >= JOINED_FROM && !isHidden(after);
}

/** Whether a choice between a picture and a sign stands after one, or within a keycap. */
function selects(before: number | undefined, after: string | undefined): boolean {
  if (before === undefined) return false;
  if (before < 0x80) return "0123456789#*".includes(String.fromCodePoint(before)) && after === "\u20e3";
  return before >= PICTURED_FROM && !isHidden(before);
}
