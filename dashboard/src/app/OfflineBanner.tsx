import { useSyncExternalStore } from "react";
import { gatewayAnswers, onReach } from "@/api/reach";
import { Banner } from "@/ui/Banner";

/** What is on the page may be old: say so. */
export function OfflineBanner() {
  const answers = useSyncExternalStore(onReach, gatewayAnswers);
  if (answers) return null;
  return (
    <Banner>The gateway does not answer. What you see is from before; the page tries again by itself.</Banner>
  );
}
