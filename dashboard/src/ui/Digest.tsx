/** The beginning of a digest or an id; the whole on hover, and for whoever copies it. */
export function Digest({ of, length = 12 }: { of: string; length?: number }) {
  return <code title={of}>{of.length > length + 1 ? `${of.slice(0, length)}…` : of}</code>;
}
