// RFC 8785: one text for each JSON value. A line that is not the one text of its value is refused, so that
// every change of a line is a change of what it says.

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type Members = Map<string, Json>;

const DEPTH_MAX = 64;
const LONE_SURROGATE = /\p{Surrogate}/u;

class NotCanonical extends Error {}

function write(value: Json, depth: number): string {
  if (depth > DEPTH_MAX) throw new NotCanonical("it is nested too deeply");
  if (typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new NotCanonical("a number is too large to be exact");
  if (typeof value === "string" && LONE_SURROGATE.test(value))
    throw new NotCanonical("a text has half of a character");
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => write(item, depth + 1)).join(",")}]`;
  const names = Object.keys(value).sort();
  const members = names.map((name) => `${write(name, depth)}:${write(value[name] as Json, depth + 1)}`);
  return `{${members.join(",")}}`;
}

export const canonical = (value: Json): string => write(value, 0);

/** The members of a line, or why it is none of a bundle. */
export function object(line: Uint8Array): { [name: string]: Json } | string {
  let value: Json;
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(line);
    value = JSON.parse(text) as Json;
  } catch {
    return "not strict JSON";
  }
  try {
    if (canonical(value) !== text) return "not in canonical form";
  } catch (error) {
    return `not strict JSON: ${(error as Error).message}`;
  }
  if (value === null || typeof value !== "object" || Array.isArray(value)) return "not a JSON object";
  return value;
}
