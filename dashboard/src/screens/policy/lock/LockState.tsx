import { useState } from "react";
import { api } from "@/api/client";
import { useMe } from "@/api/me";
import { escapeLine } from "@/lib/visible";
import type { Lock, Ticket } from "@/parts/lock";
import { Person } from "@/parts/members";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { Facts } from "@/ui/Facts";
import { Note } from "@/ui/Note";
import { RelativeTime } from "@/ui/RelativeTime";
import { ReasonDialog } from "./ReasonDialog";
import { useThenLook } from "./tickets";

/** Whether calls are stopped, by whom and why; and the key, for admins. */
export function LockState({ of }: { of: Lock }) {
  const { isAdmin } = useMe();
  const [turning, setTurning] = useState<"on" | "off" | null>(null);
  const { lock, installation } = of;
  const lifted = installation ? [] : of.lifted;
  return (
    <Card
      title="Safety lock"
      actions={
        isAdmin && (
          <Button kind={lock ? "primary" : "danger"} onClick={() => setTurning(lock ? "off" : "on")}>
            {lock ? "Release it…" : "Engage it…"}
          </Button>
        )
      }
    >
      <div className="stack">
        {installation && (
          <Note tone="warn" title="An operator has locked the whole installation.">
            <p>
              Every call is denied, whatever is released or approved here: only the operator of the gateway
              can lift that.
            </p>
          </Note>
        )}
        <span>
          <Badge tone={lock ? "bad" : installation ? "neutral" : "good"} dot>
            {lock ? "On" : "Off"}
          </Badge>
        </span>
        {lock ? (
          <Facts
            facts={[
              ["Engaged", <RelativeTime key="at" at={lock.engagedAt} />],
              ["By", <Person key="by" id={lock.engagedBy} />],
              ["Reason", lock.reason],
              ["Passes", lifted.length > 0 ? lifted.map((it) => <Passing key={it.id} ticket={it} />) : null],
            ]}
          />
        ) : (
          <p className="muted">
            {installation
              ? "No admin of the organization has engaged its own lock."
              : "Calls pass as the policy decides. When something goes wrong, an admin stops all of them at once here."}
          </p>
        )}
      </div>
      {turning && <Turn to={turning} installation={installation} onClose={() => setTurning(null)} />}
    </Card>
  );
}

const Passing = ({ ticket: { laneId, expiresAt } }: { ticket: Ticket }) => (
  <div>
    <code>{escapeLine(laneId)}</code>
    {expiresAt && (
      <>
        , ends <RelativeTime at={expiresAt} />
      </>
    )}
  </div>
);

type Turning = { to: "on" | "off"; installation: boolean; onClose: () => void };

function Turn({ to, installation, onClose }: Turning) {
  const thenLook = useThenLook();
  return to === "on" ? (
    <ReasonDialog
      title="Engage the safety lock?"
      effect="Every call of the organization is denied from now on, by every caller: tools, actions and pushes, in all sessions. What is under way goes on, and a call that waits is denied when it is approved. Any admin can release it."
      verb="Stop every call"
      act={(reason) => thenLook(api.POST("/v1/safety-lock/engage", { body: { reason } }))}
      onClose={onClose}
    />
  ) : (
    <ReasonDialog
      title="Release the safety lock?"
      effect={`${installation ? "Calls are denied all the same, for as long as the operator's lock holds" : "Calls pass again as the policy decides, in all sessions"}. Override tickets of this lock end with it.`}
      verb="Let calls pass"
      kind="primary"
      act={(reason) => thenLook(api.POST("/v1/safety-lock/release", { body: { reason } }))}
      onClose={onClose}
    />
  );
}
