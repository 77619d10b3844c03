import { useState } from "react";
import { api, body } from "@/api/client";
import type { OrganizationView } from "@/parts/organization";
import { Confirm } from "@/ui/Confirm";
import { Field } from "@/ui/Field";

type Props = { of: OrganizationView; onClose: () => void; onDone: () => Promise<void> };

/** Asks for the reason, which its members read. */
export function SuspendDialog({ of, onClose, onDone }: Props) {
  const [reason, setReason] = useState("");
  const suspend = async () => {
    await body(
      api.POST("/v1/organizations/{id}/suspend", { params: { path: { id: of.id } }, body: { reason } }),
    );
    await onDone();
  };
  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={`Suspend ${of.name}?`}
      effect="It starts nothing and keeps everything: its members can read, its agents are refused, and its live sessions are saved and paused."
      verb="Suspend it"
      act={suspend}
    >
      <Field label="Reason" hint="Its members read it on each page.">
        {(wiring) => <input {...wiring} value={reason} onChange={({ target }) => setReason(target.value)} />}
      </Field>
    </Confirm>
  );
}
