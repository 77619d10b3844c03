import type { Schemas } from "@/api/client";

export type Snapshot = Schemas["SnapshotView"];
/** A snapshot, and how many of those shown it stands on. */
export type Placed = { snapshot: Snapshot; level: number };

/** Each below what it was made on top of; otherwise in the order they came. */
export function lineage(snapshots: Snapshot[]): Placed[] {
  const known = new Set(snapshots.map(({ id }) => id));
  const children = new Map<string | null, Snapshot[]>();
  for (const snapshot of snapshots) {
    const parent = snapshot.parentId && known.has(snapshot.parentId) ? snapshot.parentId : null;
    children.set(parent, [...(children.get(parent) ?? []), snapshot]);
  }
  const below = (parent: string | null, level: number): Placed[] =>
    (children.get(parent) ?? []).flatMap((snapshot) => [
      { snapshot, level },
      ...below(snapshot.id, level + 1),
    ]);
  return below(null, 0);
}
