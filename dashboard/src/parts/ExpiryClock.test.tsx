import { act, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ExpiryClock } from "./ExpiryClock";

beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-01-01T00:00:00Z") });
});
afterEach(() => {
  vi.useRealTimers();
});

it("counts down, and says when the time is over", () => {
  render(<ExpiryClock until="2026-01-01T00:01:30Z" />);
  expect(screen.getByRole("timer").textContent).toContain("1:30 left");
  act(() => vi.advanceTimersByTime(31_000));
  expect(screen.getByRole("timer").textContent).toContain("0:59 left");
  act(() => vi.advanceTimersByTime(60_000));
  expect(screen.getByRole("timer").textContent).toContain("time is over");
});
