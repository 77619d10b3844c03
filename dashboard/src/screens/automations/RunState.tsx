import { Badge, type Tone } from "@/ui/Badge";
import type { Run } from "./queries";

const WORDS: Record<Run["status"], [Tone, string]> = {
  running: ["info", "Running"],
  succeeded: ["good", "Succeeded"],
  failed: ["bad", "Failed"],
  needs_human: ["warn", "Needs a user"],
  timed_out: ["bad", "Timed out"],
};

export function RunState({ of }: { of: Run["status"] }) {
  const [tone, words] = WORDS[of];
  return (
    <Badge tone={tone} dot>
      {words}
    </Badge>
  );
}
