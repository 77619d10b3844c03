import { useMutation } from "@tanstack/react-query";
import { ShieldCheck } from "lucide-react";
import { api, body, type Schemas } from "@/api/client";
import { useMe } from "@/api/me";
import { Button } from "@/ui/Button";
import { Failure } from "@/ui/Failure";
import { Note } from "@/ui/Note";
import { proveEvent } from "./proveEvent";

/** Proves, here, that one event is in the signed log. */
export function Proof({ eventId }: { eventId: string }) {
  const { isAdmin } = useMe();
  const proof = useMutation({
    mutationFn: async () => {
      const [answer, checkpoint] = await Promise.all([
        body(api.GET("/v1/audit/proof", { params: { query: { event: eventId } } })),
        body(api.GET("/v1/audit/checkpoint")),
      ]);
      return proveEvent(answer, (checkpoint as Schemas["AuditCheckpointView"]).verifierKey);
    },
  });
  if (!isAdmin) return null;
  const found = proof.data;
  return (
    <div className="stack">
      <div className="row">
        <Button busy={proof.isPending} onClick={() => proof.mutate()}>
          <ShieldCheck aria-hidden /> Prove it here
        </Button>
        <span className="muted small">This browser computes the hashes and checks the signature itself.</span>
      </div>
      {proof.error && <Failure error={proof.error} />}
      {found?.good === true && (
        <Note tone="good" title={`It is in the log of ${found.size} records that was signed.`}>
          <p className="small">
            {found.keyIsKept
              ? "The key is the one you keep on this device."
              : "The key is the one the gateway names. To verify without trusting the gateway, use a key that you got through another channel."}
          </p>
        </Note>
      )}
      {found?.good === false && <Note tone="bad" title={`It could not be proven: ${found.reason}.`} />}
    </div>
  );
}
