import type { Ticket } from "@/parts/lock";
import { Badge, type Tone } from "@/ui/Badge";

const WORDS: Record<Ticket["status"], [Tone, string]> = {
  requested: ["warn", "Waits for a second admin"],
  approved: ["info", "Approved"],
  active: ["good", "Lifted"],
  disabled: ["neutral", "Ended"],
  expired: ["neutral", "Expired"],
  closed: ["neutral", "Closed"],
};

export function TicketState({ status }: Pick<Ticket, "status">) {
  const [tone, words] = WORDS[status];
  return (
    <Badge tone={tone} dot>
      {words}
    </Badge>
  );
}
