import { Dialog } from "@/ui/Dialog";
import { Facts } from "@/ui/Facts";
import { Json } from "@/ui/Json";
import { LinkButton } from "@/ui/LinkButton";
import { RelativeTime } from "@/ui/RelativeTime";
import { type AuditRecord, deed, envelope, event } from "./events";
import { Outcome } from "./Outcome";
import { Proof } from "./Proof";

/** One entry: what it says, its hashes, and the proof that it is in the signed log. */
export function EventDialog({ record, onClose }: { record: AuditRecord | null; onClose: () => void }) {
  if (!record) return null;
  const { session_id, prev } = envelope(record);
  const of = event(record);
  return (
    <Dialog
      open
      wide
      onOpenChange={(open) => !open && onClose()}
      title={deed(of)}
      lead={`Number ${record.seq} of the log`}
    >
      <Facts
        facts={[
          ["When", <RelativeTime key="" at={of.timestamp_utc} />],
          ["Who", `${of.actor.actor_id} (${of.actor.actor_type}${of.role_id ? `, ${of.role_id}` : ""})`],
          ["Outcome", <Outcome key="" of={of.outcome} />],
          ["Reason", of.outcome_reason],
          ["Target", of.target?.name],
          ["Lane", of.lane_id],
          ["Case", of.case_id],
          ["Session", session_id],
          ["Leaf", <code key="">{record.leaf}</code>],
          ["Leaf before", <code key="">{prev}</code>],
        ]}
      />
      <Proof key={record.eventId} eventId={record.eventId} />
      <Json value={record.record} label="The record as it was hashed" />
      {of.run_id && (
        <div className="row">
          <LinkButton to={`/audit/runs/${of.run_id}`}>The whole call</LinkButton>
        </div>
      )}
    </Dialog>
  );
}
