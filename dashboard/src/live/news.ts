// What changes in the organization, as it happens. One page of a browser listens and tells the others: each would hold
// one of the six connections that a browser has to a gateway without TLS.
import type { Schemas } from "@/api/client";

export type News = Schemas["NewsEvent"];

const PLACE = "proliferate.news";
const PAUSES_MS = [1_000, 2_000, 5_000, 10_000, 30_000];

/** Between pages of a browser. */
type Note = { news: News } | { isLive: boolean } | { asks: true };
type Told = { news: (news: News) => void; live: (isLive: boolean) => void };

/** Listens until it is ended. */
export function listen(told: Told): () => void {
  const others = new BroadcastChannel(PLACE);
  const end = new AbortController();
  let leads = false;
  let isLive = false;
  const live = (now: boolean) => {
    if (leads && now !== isLive) others.postMessage({ isLive: now } satisfies Note);
    isLive = now;
    told.live(now);
  };
  others.onmessage = ({ data }: MessageEvent<Note>) => {
    if ("asks" in data) {
      if (leads) others.postMessage({ isLive } satisfies Note);
    } else if (leads) return;
    else if ("news" in data) told.news(data.news);
    else live(data.isLive);
  };
  const lead = () =>
    new Promise<void>((over) => {
      leads = true;
      const close = stream((news) => {
        others.postMessage({ news } satisfies Note);
        told.news(news);
      }, live);
      end.signal.addEventListener("abort", () => {
        close();
        over();
      });
    });
  others.postMessage({ asks: true } satisfies Note);
  // Where pages cannot agree on one of them, each subscribes while it is visible.
  const done = navigator.locks
    ? navigator.locks.request(PLACE, { signal: end.signal }, lead).catch(() => {})
    : null;
  const alone = done ? null : whileSeen(() => stream(told.news, told.live));
  return () => {
    end.abort();
    alone?.();
    others.close();
  };
}

/** A stream that comes back by itself, also where the browser gives up. */
function stream(heard: (news: News) => void, live: (isLive: boolean) => void): () => void {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let tries = 0;
  const open = () => {
    source = new EventSource("/v1/events");
    source.onmessage = ({ data }) => {
      tries = 0;
      live(true);
      heard(JSON.parse(String(data)) as News);
    };
    source.onerror = () => {
      live(false);
      // Anything but a broken connection: the browser does not try that again.
      if (source?.readyState !== EventSource.CLOSED) return;
      timer = setTimeout(open, PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)]);
      tries += 1;
    };
  };
  open();
  return () => {
    clearTimeout(timer);
    source?.close();
    live(false);
  };
}

function whileSeen(begin: () => () => void): () => void {
  let end: (() => void) | null = null;
  const look = () => {
    if (document.hidden) {
      end?.();
      end = null;
    } else end ??= begin();
  };
  document.addEventListener("visibilitychange", look);
  look();
  return () => {
    document.removeEventListener("visibilitychange", look);
    end?.();
  };
}
