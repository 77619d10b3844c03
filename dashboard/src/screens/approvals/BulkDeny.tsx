import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Problem } from "@/api/problem";
import { decide } from "@/parts/decide";
import { Confirm } from "@/ui/Confirm";
import { Field } from "@/ui/Field";
import { toast } from "@/ui/Toast";
import type { InboxEntry } from "./useInbox";

type Props = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  calls: InboxEntry[];
  onDone: () => void;
};

/** Denies each of them; what somebody else decided meanwhile is left as it is and counted. */
export function BulkDeny({ open, onOpenChange, calls, onDone }: Props) {
  const client = useQueryClient();
  const [reason, setReason] = useState("");
  const act = async () => {
    const outcomes = await Promise.allSettled(
      calls.map(({ id, sessionId }) => decide({ sessionId, invocationId: id }, { verb: "deny", reason })),
    );
    await client.invalidateQueries({ queryKey: ["actions"] });
    onDone();
    const failed = outcomes.flatMap((each) =>
      each.status === "rejected" ? [Problem.from(each.reason)] : [],
    );
    const late = failed.filter(({ status }) => status === 409 || status === 410).length;
    const other = failed.find(({ status }) => status !== 409 && status !== 410);
    toast.done(
      `${calls.length - failed.length} denied`,
      late ? `${late} had been decided or expired.` : undefined,
    );
    if (other) throw other;
  };
  return (
    <Confirm
      open={open}
      onOpenChange={onOpenChange}
      title={`Deny ${calls.length} ${calls.length === 1 ? "call" : "calls"}?`}
      effect="None of them is done. Each agent is told so, with the reason, and goes on without. It cannot be taken back."
      verb="Deny them"
      act={act}
    >
      <Field label="Reason" optional>
        {(wiring) => (
          <input
            {...wiring}
            maxLength={500}
            value={reason}
            onChange={({ target }) => setReason(target.value)}
          />
        )}
      </Field>
    </Confirm>
  );
}
