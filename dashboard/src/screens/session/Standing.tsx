import type { LiveStatus } from "@/api/live";
import { escapeLine } from "@/lib/visible";
import type { Conversation } from "@/live/conversation";
import { Badge, type Tone } from "@/ui/Badge";

const WORDS: Record<LiveStatus, [Tone, string]> = {
  creating: ["info", "Making a sandbox"],
  resuming: ["info", "Waking up"],
  running: ["accent", "Working"],
  migrating: ["info", "Moving to another sandbox"],
  paused: ["neutral", "Asleep"],
  stopped: ["neutral", "Ended"],
  error: ["bad", "Failed"],
};

/** The state of the session, and whether the agent needs a user. */
export function Standing({ conversation }: { conversation: Conversation }) {
  const { status, isIdle, statusWords, approvals, envRequests } = conversation;
  if (!status) return null;
  const asks = approvals.size + envRequests.size;
  const [tone, words] = WORDS[status];
  const shown: [Tone, string] =
    asks > 0 ? ["warn", "Needs you"] : status === "running" && isIdle ? ["good", "Ready"] : [tone, words];
  return (
    <span title={statusWords ? escapeLine(statusWords) : undefined} data-status={status}>
      <Badge tone={shown[0]} dot>
        {shown[1]}
      </Badge>
    </span>
  );
}
