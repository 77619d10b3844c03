import { Meter } from "@/ui/Meter";
import type { Grant } from "./useGrants";

/** How many of a grant's calls are spent. */
export function Budget({ grant: { usedCalls, maxCalls } }: { grant: Grant }) {
  if (maxCalls === null || maxCalls === undefined) return <span>{usedCalls} used, no limit</span>;
  return <Meter used={usedCalls} max={maxCalls} label={`${usedCalls} of ${maxCalls}`} />;
}
