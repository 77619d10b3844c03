import { escapeLine } from "@/lib/visible";

/** The beginning of a digest or an id; the whole on hover, and for copying. */
export function Digest({ of, length = 12 }: { of: string; length?: number }) {
  const short = of.length > length + 1 ? `${of.slice(0, length)}…` : of;
  return <code title={escapeLine(of)}>{escapeLine(short)}</code>;
}
