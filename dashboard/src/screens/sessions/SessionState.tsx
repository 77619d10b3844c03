import { escapeLine } from "@/lib/visible";
import { Badge, type Tone } from "@/ui/Badge";
import type { Session } from "./useSessions";

const WORDS: Record<Session["status"], [Tone, string]> = {
  pending: ["neutral", "Not started"],
  starting: ["info", "Starting"],
  running: ["good", "Running"],
  paused: ["neutral", "Asleep"],
  stopped: ["neutral", "Ended"],
  failed: ["bad", "Failed"],
};

export function SessionState({ session }: { session: Session }) {
  const [tone, words] = WORDS[session.status];
  return (
    <span title={session.reason ? escapeLine(session.reason) : undefined}>
      <Badge tone={tone} dot>
        {words}
      </Badge>
    </span>
  );
}
