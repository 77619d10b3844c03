import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "@/api/client";
import { useMe } from "@/api/me";
import { plural } from "@/lib/plural";
import type { Ticket } from "@/parts/lock";
import { Button } from "@/ui/Button";
import { Failure } from "@/ui/Failure";
import { Remove } from "@/ui/Remove";
import { ReasonDialog } from "./ReasonDialog";
import { turn, useThenLook } from "./tickets";

type Props = { ticket: Ticket; installation: boolean };

/** What an admin can do with a ticket now. The gateway decides; this offers what it would let happen. */
export function TicketMoves({ ticket, installation }: Props) {
  const { me, isAdmin } = useMe();
  const thenLook = useThenLook();
  const [asked, setAsked] = useState<"lift" | "end" | null>(null);
  const { id, laneId, minutes, status } = ticket;
  const params = { path: { id } };
  const approve = useMutation({
    mutationFn: () => thenLook(api.POST("/v1/override-tickets/{id}/approve", { params })),
  });
  if (!isAdmin) return null;
  const isOwn = ticket.openedBy === me?.userId;
  return (
    <>
      {status === "requested" && isOwn && (
        <p className="muted small">
          You asked for it, so another admin has to approve it: an exemption needs two admins.
        </p>
      )}
      {status !== "requested" && installation && (
        <p className="muted small">
          It cannot be used or ended while an operator has locked the installation.
        </p>
      )}
      {approve.error && <Failure error={approve.error} />}
      <div className="row">
        {status === "requested" && !isOwn && (
          <Button kind="primary" busy={approve.isPending} onClick={() => approve.mutate()}>
            Approve it
          </Button>
        )}
        {status === "approved" && !installation && (
          <Button kind="primary" onClick={() => setAsked("lift")}>
            Lift the lane…
          </Button>
        )}
        {status === "active" && !installation && (
          <Button kind="danger" onClick={() => setAsked("end")}>
            End it…
          </Button>
        )}
        {status !== "active" && (
          <Remove
            question="Close this ticket?"
            effect="It has no effect any more. A new ticket can be opened."
            verb="Close it"
            act={() => thenLook(api.POST("/v1/override-tickets/{id}/close", { params }))}
          >
            {status === "requested" && !isOwn ? "Refuse" : "Close"}
          </Remove>
        )}
      </div>
      {asked === "lift" && (
        <ReasonDialog
          title={`Lift ${laneId} out of the lock?`}
          effect={`Calls in this lane pass the lock from now on, for ${plural(minutes, "minute")} or until it is ended. Every other check is made as ever. The ticket can be used this once.`}
          verb="Lift it"
          act={(reason) => thenLook(turn(ticket, "override.enable", reason))}
          onClose={() => setAsked(null)}
        />
      )}
      {asked === "end" && (
        <ReasonDialog
          title={`Lock ${laneId} again?`}
          effect="Calls in this lane are denied again from now on. What is under way goes on."
          verb="Lock it again"
          act={(reason) => thenLook(turn(ticket, "override.disable", reason))}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}
