import { onlineManager } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import css from "./OfflineBanner.module.css";

/** What is on the page may be old: say so. */
export function OfflineBanner() {
  const online = useSyncExternalStore(
    (told) => onlineManager.subscribe(told),
    () => onlineManager.isOnline(),
  );
  if (online) return null;
  return (
    <p className={css.banner} role="status">
      You are offline. What you see is from before; it is brought up to date when the connection is back.
    </p>
  );
}
