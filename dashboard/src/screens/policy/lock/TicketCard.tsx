import { plural } from "@/lib/plural";
import { escapeLine, escapeText } from "@/lib/visible";
import { ExpiryClock } from "@/parts/ExpiryClock";
import type { Ticket } from "@/parts/lock";
import { useMemberName } from "@/parts/members";
import cards from "@/ui/cards.module.css";
import { Facts } from "@/ui/Facts";
import { RelativeTime } from "@/ui/RelativeTime";
import { TicketMoves } from "./TicketMoves";
import { TicketState } from "./TicketState";

type Props = { ticket: Ticket; installation: boolean };

/** A ticket that waits or counts: what it is for, who stands for it, and the next step. */
export function TicketCard({ ticket, installation }: Props) {
  const name = useMemberName();
  const { laneId, minutes, reason, status, openedBy, openedAt, expiresAt } = ticket;
  const { approvedBy, approvedAt, enabledAt } = ticket;
  return (
    <li className={cards.card}>
      <div className="row spread">
        <h3>
          <code>{escapeLine(laneId)}</code> for {plural(minutes, "minute")}
        </h3>
        <div className="row">
          <TicketState status={status} />
          {expiresAt && <ExpiryClock until={expiresAt} />}
        </div>
      </div>
      <p>{escapeText(reason)}</p>
      <Facts
        facts={[
          ["Asked by", <Turned key="asked" by={name(openedBy)} at={openedAt} />],
          [
            "Approved by",
            approvedBy && approvedAt && <Turned key="approved" by={name(approvedBy)} at={approvedAt} />,
          ],
          ["Lifted", enabledAt && <RelativeTime key="lifted" at={enabledAt} />],
        ]}
      />
      <TicketMoves ticket={ticket} installation={installation} />
    </li>
  );
}

const Turned = ({ by, at }: { by: string; at: string }) => (
  <>
    {by}, <RelativeTime at={at} />
  </>
);
