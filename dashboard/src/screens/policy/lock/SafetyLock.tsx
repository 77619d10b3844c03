import { useState } from "react";
import { useMe } from "@/api/me";
import { useLock } from "@/parts/lock";
import { LookOnly } from "@/parts/may";
import { Answer } from "@/ui/Answer";
import { Button } from "@/ui/Button";
import { Card } from "@/ui/Card";
import cards from "@/ui/cards.module.css";
import { Empty } from "@/ui/Empty";
import { More } from "@/ui/More";
import type { Lane } from "../queries";
import { AskOverride } from "./AskOverride";
import { LockState } from "./LockState";
import { PastTickets } from "./PastTickets";
import { TicketCard } from "./TicketCard";
import { isOpen, useTickets } from "./tickets";

/** Stopping every call, and lifting one lane out of that by two admins. */
export function SafetyLock({ lanes }: { lanes: Lane[] }) {
  const lock = useLock();
  return (
    <div className="stack">
      <LookOnly what="Engaging and releasing the lock, and lifting a lane out of it" />
      <Answer of={lock} what="Looking at the lock">
        {(found) => (
          <>
            <LockState of={found} />
            <Tickets lanes={lanes} canAsk={found.lock != null} installation={found.installation} />
          </>
        )}
      </Answer>
    </div>
  );
}

type Props = { lanes: Lane[]; canAsk: boolean; installation: boolean };

function Tickets({ lanes, canAsk, installation }: Props) {
  const { isAdmin } = useMe();
  const tickets = useTickets();
  const [asking, setAsking] = useState(false);
  return (
    <section className="stack" aria-label="Override tickets">
      <div className="row spread">
        <h2>Override tickets</h2>
        {isAdmin && canAsk && <Button onClick={() => setAsking(true)}>Ask for an override…</Button>}
      </div>
      <Answer of={tickets} what="Looking for tickets">
        {(all) => {
          const open = all.filter(isOpen);
          const past = all.filter((ticket) => !isOpen(ticket));
          return (
            <>
              {all.length === 0 && (
                <Card>
                  <Empty title="No override tickets.">
                    While the lock is on, an admin can ask that the calls of one lane pass it for at most an
                    hour; another admin has to approve that.
                  </Empty>
                </Card>
              )}
              {open.length > 0 && (
                <ul className={cards.list} aria-label="Tickets that wait or count">
                  {open.map((ticket) => (
                    <TicketCard key={ticket.id} ticket={ticket} installation={installation} />
                  ))}
                </ul>
              )}
              {past.length > 0 && (
                <Card title="Over" flush>
                  <PastTickets tickets={past} />
                </Card>
              )}
              <More of={tickets} />
            </>
          );
        }}
      </Answer>
      {asking && <AskOverride lanes={lanes} onClose={() => setAsking(false)} />}
    </section>
  );
}
