// A long text with parts of it folded. What is folded is a part of its own, which says how much it is.
import { count } from "./money";
import { plural } from "./plural";

/** What fits on a screen; of more, so many lines of the beginning and of the end are shown. */
const LINES_MAX = 60;
const HEAD_LINES = 40;
const TAIL_LINES = 10;
/** A line that is read in one go; of a longer one, so many characters of its beginning and its end are shown. */
const LINE_MAX = 2_000;
const HEAD_CHARACTERS = 1_200;
const TAIL_CHARACTERS = 400;

export type Part = { text: string; folded?: string };

/** The parts of a text in order; joined they are the text. */
export function fold(text: string): Part[] {
  const lines = text.split("\n");
  if (lines.length <= LINES_MAX) return together(lines.flatMap(foldLine));
  const head = lines.slice(0, HEAD_LINES).flatMap(foldLine);
  const tail = lines.slice(-TAIL_LINES).flatMap(foldLine);
  const middle = lines
    .slice(HEAD_LINES, -TAIL_LINES)
    .map((line) => `${line}\n`)
    .join("");
  const folded = `${plural(lines.length - HEAD_LINES - TAIL_LINES, "line")}, ${size(middle)}`;
  return together([...head, { text: middle, folded }, ...tail]);
}

/** A line with its end, its middle folded if it is long. */
function foldLine(line: string): Part[] {
  const characters = [...line];
  if (characters.length <= LINE_MAX) return [{ text: `${line}\n` }];
  const middle = characters.slice(HEAD_CHARACTERS, -TAIL_CHARACTERS).join("");
  return [
    { text: characters.slice(0, HEAD_CHARACTERS).join("") },
    { text: middle, folded: size(middle) },
    { text: `${characters.slice(-TAIL_CHARACTERS).join("")}\n` },
  ];
}

const size = (text: string): string => `${count([...text].length)} characters`;

/** Parts beside each other that are shown become one; the last line has no end. */
function together(parts: Part[]): Part[] {
  const merged: Part[] = [];
  for (const part of parts) {
    const last = merged.at(-1);
    if (last && !last.folded && !part.folded) last.text += part.text;
    else merged.push({ ...part });
  }
  const last = merged.at(-1);
  if (last) last.text = last.text.slice(0, -1);
  return merged;
}
