import type { Schemas } from "@/api/client";
import { Badge, type Tone } from "@/ui/Badge";

const TONES: Record<Schemas["AuditOutcome"], [Tone, string]> = {
  allow: ["info", "Allowed"],
  deny: ["bad", "Denied"],
  success: ["good", "Done"],
  failure: ["warn", "Failed"],
};

export function Outcome({ of }: { of: Schemas["AuditOutcome"] }) {
  const [tone, words] = TONES[of] ?? ["neutral", of];
  return <Badge tone={tone}>{words}</Badge>;
}
