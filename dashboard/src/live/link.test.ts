import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Frame } from "@/api/live";
import type { Problem } from "@/api/problem";
import { Link, type LinkState } from "./link";

class FakeSocket {
  static OPEN = 1;
  static all: FakeSocket[] = [];
  readyState = 0;
  sent: string[] = [];
  onopen?: () => void;
  onmessage?: (event: { data: string }) => void;
  onclose?: () => void;
  constructor(readonly url: URL) {
    FakeSocket.all.push(this);
  }
  open() {
    this.readyState = 1;
    this.onopen?.();
  }
  say(frame: Frame) {
    this.onmessage?.({ data: JSON.stringify(frame) });
  }
  break() {
    this.readyState = 3;
    this.onclose?.();
  }
  send(text: string) {
    this.sent.push(text);
  }
  close() {}
}

const states: LinkState[] = [];
let problem: Problem | undefined;
let seen: number | null = null;
let link: Link;
const last = () => FakeSocket.all.at(-1) as FakeSocket;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal(
    "fetch",
    vi.fn(async () => new Response("{}", { status: 200 })),
  );
  FakeSocket.all = [];
  states.length = 0;
  seen = null;
  link = new Link("s1", {
    frame: (frame) => {
      seen = frame.seq ?? seen;
    },
    state: (state, why) => {
      states.push(state);
      problem = why;
    },
    seen: () => seen,
  });
});
afterEach(() => {
  link.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("the connection to a session", () => {
  it("comes back after the last event that was seen", async () => {
    expect(last().url.search).toBe("");
    last().open();
    last().say({ type: "session_paused", seq: 41 });
    last().break();
    expect(states.at(-1)).toBe("waiting");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(last().url.search).toBe("?after=41");
    last().open();
    expect(states.at(-1)).toBe("open");
    expect(FakeSocket.all).toHaveLength(2);
  });

  it("gives up where the gateway says that there is nothing to come back to", async () => {
    vi.mocked(fetch).mockResolvedValue(
      new Response('{"detail":"there is no such session"}', { status: 404 }),
    );
    last().break();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(states.at(-1)).toBe("refused");
    expect(problem?.message).toBe("there is no such session");
    expect(FakeSocket.all).toHaveLength(1);
  });

  it("keeps trying while the server does not respond", async () => {
    vi.mocked(fetch).mockRejectedValue(new TypeError("Failed to fetch"));
    for (let tries = 0; tries < 5; tries += 1) {
      last().break();
      await vi.advanceTimersByTimeAsync(60_000);
    }
    expect(FakeSocket.all).toHaveLength(6);
  });

  it("asks a silent gateway for a sign of life, and leaves it without one", async () => {
    last().open();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(last().sent.at(-1)).toBe('{"type":"ping"}');
    last().say({ type: "pong" });
    await vi.advanceTimersByTimeAsync(15_000);
    expect(FakeSocket.all).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(FakeSocket.all).toHaveLength(2);
  });

  it("says nothing more once it is closed", async () => {
    last().open();
    link.close();
    const before = states.length;
    last().break();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(states).toHaveLength(before);
    expect(FakeSocket.all).toHaveLength(1);
  });
});
