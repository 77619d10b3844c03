import { Badge, type Tone } from "@/ui/Badge";
import type { Configuration } from "./queries";

const WORDS: Record<Configuration["status"], [Tone, string]> = {
  pending: ["neutral", "Not built yet"],
  building: ["info", "Being built"],
  default: ["info", "Without a snapshot"],
  ready: ["good", "Ready"],
  failed: ["bad", "Failed"],
};

export function State({ of }: { of: Configuration["status"] }) {
  const [tone, words] = WORDS[of];
  return (
    <Badge tone={tone} dot>
      {words}
    </Badge>
  );
}
