// Notifications of the browser for calls that start to wait, if enabled on this device.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { api, body } from "@/api/client";
import { escapeLine } from "@/lib/visible";
import { useEvery } from "./useNews";

const KEY = "proliferate.notify";
type State = "impossible" | "refused" | "on" | "off";
const listeners = new Set<() => void>();

function state(): State {
  if (!("Notification" in window)) return "impossible";
  if (Notification.permission === "denied") return "refused";
  return Notification.permission === "granted" && localStorage.getItem(KEY) === "on" ? "on" : "off";
}

export async function askForNotices(on: boolean): Promise<void> {
  if (on) await Notification.requestPermission();
  localStorage.setItem(KEY, on ? "on" : "off");
  for (const listener of listeners) listener();
}

export function useNotices(): State {
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return useSyncExternalStore(subscribe, state);
}

/** Announces each new call once, on every page of the dashboard. Calls that waited before are not new. */
export function useNewCallNotices(): void {
  const isOn = useNotices() === "on";
  const known = useRef<Set<string> | null>(null);
  const { data } = useQuery({
    queryKey: ["actions", "waiting", "by session"],
    queryFn: () => body(api.GET("/v1/actions", { params: { query: { status: "pending", limit: 100 } } })),
    refetchInterval: useEvery(5_000),
    // Only a hidden page shows a notification.
    refetchIntervalInBackground: true,
    enabled: isOn,
  });
  useEffect(() => {
    if (!data) return;
    const before = known.current;
    known.current = new Set(data.invocations.map(({ id }) => id));
    if (!before || !isOn) return;
    for (const { id, action, sessionTitle } of data.invocations.filter((each) => !before.has(each.id))) {
      const notice = new Notification("An agent asks for a decision", {
        body: escapeLine(`${action} in ${sessionTitle ?? "a session"}`),
        tag: id,
      });
      notice.onclick = () => {
        window.focus();
        location.assign("/approvals");
      };
    }
  }, [data, isOn]);
}
