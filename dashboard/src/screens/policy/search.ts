import type { Lane } from "./queries";

/** The lanes that have these letters in their name, their purpose, a role or a tool. */
export function narrowed(lanes: Lane[], words: string): Lane[] {
  const wanted = words.trim().toLowerCase();
  if (!wanted) return lanes;
  return lanes.filter(({ id, purpose, roles, tools, writes }) =>
    [id, purpose, ...roles, ...tools, ...writes].some((text) => text.toLowerCase().includes(wanted)),
  );
}

/** `case_notes (append)` as the question about a call has it. */
export function writeOf(text: string): { table: string; mode: string } | undefined {
  const [, table, mode] = /^(\S+) \((\S+)\)$/.exec(text) ?? [];
  return table && mode ? { table, mode } : undefined;
}
