import { expect, it } from "vitest";
import { bytes } from "@/lib/bytes";
import { lineage, type Snapshot } from "./lineage";

const snapshot = (id: string, parentId: string | null): Snapshot => ({
  id,
  parentId,
  provider: "local",
  sessionId: "s",
  byteSize: 1,
  depth: 0,
  createdAt: "2026-01-01T00:00:00Z",
  isDefault: false,
});

it("puts each below what it was made on top of", () => {
  const all = [snapshot("d", "b"), snapshot("c", "a"), snapshot("b", "a"), snapshot("a", "gone")];
  expect(lineage(all).map(({ snapshot: { id }, level }) => [id, level])).toEqual([
    ["a", 0],
    ["c", 1],
    ["b", 1],
    ["d", 2],
  ]);
  expect(lineage([])).toEqual([]);
});

it("writes sizes in units", () => {
  expect([0, 980, 1_234, 123_456_789, 5e15].map(bytes)).toEqual([
    "0 B",
    "980 B",
    "1.2 KB",
    "123 MB",
    "5000 TB",
  ]);
});
