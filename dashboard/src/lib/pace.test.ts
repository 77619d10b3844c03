import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Pace } from "./pace";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it("does it at once, then no more often than the pace, and forgets nothing", () => {
  const done: string[] = [];
  const pace = new Pace<string>(1_000, (thing) => done.push(thing));
  pace.note("a");
  pace.note("a");
  pace.note("b");
  pace.note("a");
  expect(done).toEqual(["a", "b"]);
  vi.advanceTimersByTime(1_000);
  expect(done).toEqual(["a", "b", "a"]);
  vi.advanceTimersByTime(1_000);
  pace.note("b");
  expect(done).toEqual(["a", "b", "a", "b"]);
  pace.note("b");
  pace.end();
  vi.advanceTimersByTime(5_000);
  expect(done).toEqual(["a", "b", "a", "b"]);
});
