import type { LinkState } from "@/live/link";
import { Badge } from "@/ui/Badge";

/** Shown only while something is wrong. */
export function Connection({ state }: { state: LinkState }) {
  return (
    <span role="status" data-connection={state}>
      {state === "connecting" && <Badge tone="info">Connecting</Badge>}
      {state === "waiting" && <Badge tone="warn">Connection lost, coming back</Badge>}
    </span>
  );
}
