import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { listen, type News } from "./news";

class FakeSource {
  static all: FakeSource[] = [];
  static readonly CLOSED = 2;
  readyState = 1;
  onmessage: ((event: { data: string }) => void) | null = null;
  onerror: (() => void) | null = null;
  constructor(readonly url: string) {
    FakeSource.all.push(this);
  }
  close(): void {
    this.readyState = 2;
  }
  say(news: News): void {
    this.onmessage?.({ data: JSON.stringify(news) });
  }
  fail(isFinal: boolean): void {
    if (isFinal) this.readyState = 2;
    this.onerror?.();
  }
}

/** Pages of one browser: what one posts the others get. */
class FakeChannel {
  static all = new Set<FakeChannel>();
  onmessage: ((event: { data: unknown }) => void) | null = null;
  constructor(readonly name: string) {
    FakeChannel.all.add(this);
  }
  postMessage(data: unknown): void {
    for (const each of FakeChannel.all) if (each !== this) each.onmessage?.({ data });
  }
  close(): void {
    FakeChannel.all.delete(this);
  }
}

/** Given to one after the other. */
class FakeLocks {
  #waiting: { run: () => Promise<void>; signal: AbortSignal }[] = [];
  #held = false;
  request(_: string, { signal }: { signal: AbortSignal }, run: () => Promise<void>): Promise<void> {
    this.#waiting.push({ run, signal });
    this.#next();
    return Promise.resolve();
  }
  #next(): void {
    if (this.#held) return;
    const next = this.#waiting.shift();
    if (!next) return;
    if (next.signal.aborted) return this.#next();
    this.#held = true;
    void next.run().then(() => {
      this.#held = false;
      this.#next();
    });
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  FakeSource.all = [];
  FakeChannel.all.clear();
  vi.stubGlobal("EventSource", FakeSource);
  vi.stubGlobal("BroadcastChannel", FakeChannel);
  Object.defineProperty(navigator, "locks", { value: new FakeLocks(), configurable: true });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function page() {
  const heard: string[] = [];
  const live: boolean[] = [];
  const end = listen({ news: ({ type }) => heard.push(type), live: (now) => live.push(now) });
  return { heard, live, end };
}

it("one page listens for all of them, and another goes on when it is closed", async () => {
  const first = page();
  const second = page();
  expect(FakeSource.all).toHaveLength(1);
  FakeSource.all[0]?.say({ type: "begun" });
  FakeSource.all[0]?.say({ type: "grant_changed", id: "g" });
  expect(first.heard).toEqual(["begun", "grant_changed"]);
  expect(second.heard).toEqual(["begun", "grant_changed"]);
  expect(second.live.at(-1)).toBe(true);
  const late = page();
  expect(late.live.at(-1)).toBe(true);
  late.end();
  first.end();
  await vi.advanceTimersByTimeAsync(0);
  expect(FakeSource.all).toHaveLength(2);
  expect(FakeSource.all[0]?.readyState).toBe(FakeSource.CLOSED);
  FakeSource.all[1]?.say({ type: "begun" });
  expect(second.heard.at(-1)).toBe("begun");
  second.end();
});

it("says when nothing is heard, and comes back where the browser gives up", () => {
  const only = page();
  FakeSource.all[0]?.say({ type: "begun" });
  FakeSource.all[0]?.fail(false);
  expect(only.live.at(-1)).toBe(false);
  expect(FakeSource.all).toHaveLength(1);
  FakeSource.all[0]?.fail(true);
  vi.advanceTimersByTime(1_000);
  expect(FakeSource.all).toHaveLength(2);
  FakeSource.all[1]?.say({ type: "begun" });
  expect(only.live.at(-1)).toBe(true);
  only.end();
  expect(only.live.at(-1)).toBe(false);
});

it("listens while it is seen where pages cannot agree on one", () => {
  Object.defineProperty(navigator, "locks", { value: undefined, configurable: true });
  const only = page();
  expect(FakeSource.all).toHaveLength(1);
  const hidden = vi.spyOn(document, "hidden", "get").mockReturnValue(true);
  document.dispatchEvent(new Event("visibilitychange"));
  expect(FakeSource.all[0]?.readyState).toBe(FakeSource.CLOSED);
  hidden.mockReturnValue(false);
  document.dispatchEvent(new Event("visibilitychange"));
  expect(FakeSource.all).toHaveLength(2);
  only.end();
  hidden.mockRestore();
});
