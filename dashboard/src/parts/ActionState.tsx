import type { ActionStatus } from "@/api/live";
import { Badge, type Tone } from "@/ui/Badge";

const WORDS: Record<ActionStatus, [Tone, string]> = {
  pending: ["warn", "Waiting"],
  approved: ["info", "Approved"],
  executing: ["info", "Running"],
  completed: ["good", "Done"],
  failed: ["bad", "Failed"],
  denied: ["bad", "Denied"],
  expired: ["neutral", "Expired"],
};

export function ActionState({ status }: { status: ActionStatus }) {
  const [tone, words] = WORDS[status];
  return (
    <Badge tone={tone} dot>
      {words}
    </Badge>
  );
}
