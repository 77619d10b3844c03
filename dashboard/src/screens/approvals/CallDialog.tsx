import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { api, body } from "@/api/client";
import { duration } from "@/lib/time";
import { escapeLine } from "@/lib/visible";
import { ActionState } from "@/parts/ActionState";
import { Person } from "@/parts/members";
import { useIntegrationName } from "@/parts/names";
import { Risk } from "@/parts/Risk";
import { Dialog } from "@/ui/Dialog";
import { Facts } from "@/ui/Facts";
import { Failure } from "@/ui/Failure";
import { Json } from "@/ui/Json";
import { RelativeTime } from "@/ui/RelativeTime";
import type { InboxEntry } from "./useInbox";

/** A call and why it went as it did. */
export function CallDialog({ entry, onClose }: { entry: InboxEntry; onClose: () => void }) {
  const name = useIntegrationName();
  const { data, error } = useQuery({
    queryKey: ["actions", entry.id, "explain"],
    queryFn: () => body(api.GET("/v1/actions/{id}/explain", { params: { path: { id: entry.id } } })),
  });
  const it = data?.invocation ?? entry;
  const title = (
    <>
      {escapeLine(entry.action)} in {name(entry.integration)}
    </>
  );
  return (
    <Dialog open wide onOpenChange={onClose} title={title}>
      <Facts
        facts={[
          ["Outcome", <ActionState key="o" status={it.status} />],
          ["Risk", <Risk key="r" level={it.riskLevel} />],
          ["Asked", <RelativeTime key="a" at={it.createdAt} />],
          ["Decided by", it.approvedBy && <Person key="p" id={it.approvedBy} />],
          ["Took", it.durationMs ? duration(it.durationMs) : null],
          ["What went wrong", it.error],
          [
            "Not granted",
            it.suspendedGrant && `Grant ${it.suspendedGrant.grantId}: ${it.suspendedGrant.message}`,
          ],
          [
            "Session",
            <Link key="s" to={`/sessions/${it.sessionId}`}>
              {escapeLine(entry.sessionTitle ?? it.sessionId)}
            </Link>,
          ],
          ["Digest of the call", <code key="d">{it.callSha256}</code>],
        ]}
      />
      {it.outcomeUnknown && (
        <p>The response was lost: the call may have taken effect. It is not run again.</p>
      )}
      <h3>Parameters</h3>
      <Json value={it.params ?? {}} label="Parameters" />
      {it.result && (
        <>
          <h3>Result</h3>
          <Json value={it.result} label="Result" />
        </>
      )}
      {error && <Failure error={error} />}
      {data && data.grants.length > 0 && (
        <>
          <h3>What grants say of it</h3>
          <ul>
            {data.grants.map(({ grantId, applies, reason }) => (
              <li key={grantId}>
                <code>{grantId}</code> {applies ? "covers it" : "does not cover it"}: {escapeLine(reason)}
              </li>
            ))}
          </ul>
        </>
      )}
    </Dialog>
  );
}
