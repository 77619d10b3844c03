import { expect, it } from "vitest";
import { drained, phases, summary } from "./load";

const hubs = { max: 10, leases: 3, cold: 0, booting: 1, running: 2, leaving: 0, unconfirmed: 1, clients: 4 };
const instance = {
  id: "a",
  role: "all" as const,
  url: "http://10.0.0.2:7777",
  version: "2.0.0",
  startedAt: "2026-01-01T00:00:00Z",
  heartbeatAt: "2026-01-01T00:00:00Z",
  isThis: true,
  hubs,
  swept: { adopted: 0, dead: 0, ended: 0, foreign: 0, waiting: 0 },
};

it("shows the phases that there are", () => {
  expect(phases(hubs).map(({ name, number }) => [name, number])).toEqual([
    ["running", 2],
    ["coming up", 1],
    ["unconfirmed", 1],
  ]);
});

it("adds up what needs attention", () => {
  const older = { ...instance, id: "b", version: "1.0.0" };
  expect(summary([instance, older])).toEqual({ unconfirmed: 2, leaving: 0, versions: ["1.0.0", "2.0.0"] });
});

it("says how far an instance is that is taken out", () => {
  const since = "2026-01-01T00:00:00Z";
  expect(drained({ since, handedOver: 0, putAway: 0, left: 3 })).toBe("3 still here");
  expect(drained({ since, handedOver: 2, putAway: 1, left: 0 })).toBe(
    "empty: it can be stopped, 2 handed off, 1 evicted",
  );
});
