import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { useMoving } from "./useMoving";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it("says for a moment that a list moved", () => {
  const { result, rerender } = renderHook(({ list }) => useMoving(list), { initialProps: { list: "a b" } });
  expect(result.current).toBe(false);
  rerender({ list: "b" });
  expect(result.current).toBe(true);
  rerender({ list: "b" });
  expect(result.current).toBe(true);
  act(() => vi.advanceTimersByTime(900));
  expect(result.current).toBe(false);
  rerender({ list: "b c" });
  rerender({ list: "b c d" });
  expect(result.current).toBe(true);
  act(() => vi.advanceTimersByTime(900));
  expect(result.current).toBe(false);
});
