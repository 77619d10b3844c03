import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, body } from "@/api/client";
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

/** Denies each of them; calls that were decided meanwhile are skipped and counted. */
export function BulkDeny({ open, onOpenChange, calls, onDone }: Props) {
  const client = useQueryClient();
  const [reason, setReason] = useState("");
  const act = async () => {
    const ids = calls.map(({ id }) => id);
    const callSha256 = Object.fromEntries(calls.map((call) => [call.id, call.callSha256]));
    const { items } = await body(
      api.POST("/v1/actions/deny", { body: { ids, callSha256, reason: reason.trim() || null } }),
    );
    await client.invalidateQueries({ queryKey: ["actions"] });
    onDone();
    const denied = items.filter((each) => each.denied).length;
    const late = items.length - denied;
    toast.done(`${denied} denied`, late ? `${late} had been decided or expired.` : undefined);
  };
  return (
    <Confirm
      open={open}
      onOpenChange={onOpenChange}
      title={`Deny ${calls.length} ${calls.length === 1 ? "call" : "calls"}?`}
      effect="None of them is executed. Each agent receives the denial with the reason. This cannot be undone."
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
