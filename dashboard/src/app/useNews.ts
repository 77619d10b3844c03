// Lists follow what happens, and ask by themselves only where nothing is heard.
import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { Pace } from "@/lib/pace";
import { listen, type News } from "@/live/news";

/** While news come, a list is read again this often all the same: news may be lost. */
const SELDOM_MS = 60_000;
/** The same list is not read again sooner than this, however much happens. */
const PACE_MS = 1_000;

let isLive = false;
const listeners = new Set<() => void>();
function setLive(now: boolean): void {
  if (now === isLive) return;
  isLive = now;
  for (const listener of listeners) listener();
}
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** How often a list asks by itself that would ask this often if it heard nothing. */
export function useEvery(ms: number): number {
  return useSyncExternalStore(subscribe, () => isLive) ? SELDOM_MS : ms;
}

const ALL: QueryKey[] = [["actions"], ["grants"], ["sessions", "list"], ["organization-limits"]];

/** What is to be read again. */
export function changed(news: News): QueryKey[] {
  switch (news.type) {
    case "begun":
    case "missed":
      return ALL;
    case "action_changed": {
      // One that ran may have used a grant.
      const isOver = news.status === "completed" || news.status === "failed";
      return [["actions"], ["sessions", "list"], ...(isOver ? [["grants"]] : [])];
    }
    case "grant_changed":
    case "grant_request_changed":
      return [["grants"]];
    case "limits_changed":
      return [["organization-limits"]];
    case "session_changed":
      return [
        ["sessions", "list"],
        ["sessions", news.id, "detail"],
      ];
    default:
      return [];
  }
}

/** Subscribes for as long as a user is signed in here. */
export function useNews(): void {
  const client = useQueryClient();
  useEffect(() => {
    const pace = new Pace<QueryKey>(PACE_MS, (queryKey) => void client.invalidateQueries({ queryKey }));
    const end = listen({
      news: (news) => {
        for (const key of changed(news)) pace.note(key);
      },
      live: setLive,
    });
    return () => {
      end();
      pace.end();
      setLive(false);
    };
  }, [client]);
}
