import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { api, body, type Schemas } from "@/api/client";
import { useMe } from "@/api/me";
import { useNow } from "@/lib/time";
import { escapeLine } from "@/lib/visible";
import { ActionState } from "@/parts/ActionState";
import { Person } from "@/parts/members";
import { useIntegrationName } from "@/parts/names";
import { Button } from "@/ui/Button";
import { Confirm } from "@/ui/Confirm";
import { Dialog } from "@/ui/Dialog";
import { Facts } from "@/ui/Facts";
import { Failure } from "@/ui/Failure";
import { RelativeTime } from "@/ui/RelativeTime";
import { Budget } from "./Budget";
import css from "./grants.module.css";
import { type Grant, over, suspensions } from "./useGrants";

/** What must stand at its place, as it was filled in. */
function Must({ of }: { of: Grant["predicates"][number] }) {
  const [words, values] =
    of.prefix !== undefined
      ? ["must begin with", [of.prefix]]
      : of.oneOf
        ? ["must be one of", of.oneOf]
        : ["must equal", [of.equals]];
  return (
    <>
      {words}{" "}
      {values.map((value) => (
        <code key={JSON.stringify(value)}>{escapeLine(JSON.stringify(value))}</code>
      ))}
    </>
  );
}

/** What changed of an action since it was granted, and where that is looked at. */
function Suspended({ of: it, name }: { of: Schemas["SuspendedActionView"]; name: string }) {
  const server = it.integration.startsWith("connector:") ? it.integration.slice("connector:".length) : null;
  return (
    <>
      <code>{escapeLine(it.action)}</code> in{" "}
      {server ? <Link to={`/connectors/${server}`}>{name}</Link> : name}: {escapeLine(it.message)}
      <span className="muted small">
        {it.givenForSha256 && (
          <>
            was <code title={it.givenForSha256}>{it.givenForSha256.slice(0, 12)}</code>,{" "}
          </>
        )}
        is <code title={it.nowSha256}>{it.nowSha256.slice(0, 12)}</code>
      </span>
    </>
  );
}

/** A grant, the calls it authorised, and taking it back. */
export function GrantDialog({ grant, onClose }: { grant: Grant; onClose: () => void }) {
  const client = useQueryClient();
  const name = useIntegrationName();
  const { isAdmin } = useMe();
  const [revoking, setRevoking] = useState(false);
  const why = over(grant, useNow(5_000));
  const calls = useQuery({
    queryKey: ["grants", grant.id, "calls"],
    queryFn: () =>
      body(api.GET("/v1/grants/{id}/calls", { params: { path: { id: grant.id }, query: { limit: 50 } } })),
  });
  const revoke = async () => {
    await api.DELETE("/v1/grants/{id}", { params: { path: { id: grant.id } } });
    await client.invalidateQueries({ queryKey: ["grants"] });
  };
  const title = (
    <>
      {grant.action === "*" ? "Every action" : escapeLine(grant.action)} in {name(grant.integration)}
    </>
  );
  return (
    <Dialog open wide onOpenChange={onClose} title={title}>
      <Facts
        facts={[
          ["Budget", <Budget key="b" grant={grant} />],
          [
            "For",
            grant.sessionId ? (
              <Link key="s" to={`/sessions/${grant.sessionId}`}>
                one session
              </Link>
            ) : (
              "every session"
            ),
          ],
          ["Made", <RelativeTime key="c" at={grant.createdAt} />],
          ["By", grant.createdBy && <Person key="p" id={grant.createdBy} />],
          ["Expires", grant.expiresAt ? <RelativeTime key="e" at={grant.expiresAt} /> : "never"],
          ["Given for", grant.definitionSha256 && <code key="d">{grant.definitionSha256}</code>],
          ["State", why ?? "counts"],
        ]}
      />
      {grant.predicates.length > 0 && (
        <>
          <h3>Only where all of this holds</h3>
          <ul className={css.calls}>
            {grant.predicates.map((each) => (
              <li key={JSON.stringify(each)}>
                <code>{escapeLine(each.pointer)}</code> <Must of={each} />
              </li>
            ))}
          </ul>
        </>
      )}
      {grant.suspended && grant.suspended.length > 0 && (
        <>
          <h3>Suspended for {suspensions(grant)}</h3>
          <p className="muted">Calls of these wait for an approval.</p>
          <ul className={css.calls}>
            {grant.suspended.map((each) => (
              <li key={`${each.integration}/${each.action}`}>
                <Suspended of={each} name={name(each.integration)} />
              </li>
            ))}
          </ul>
        </>
      )}
      <h3>Calls it authorised</h3>
      {calls.error && <Failure error={calls.error} />}
      {calls.data?.items.length === 0 && <p className="muted">None yet.</p>}
      <ul className={css.calls}>
        {calls.data?.items.map(({ id, action, status, createdAt, sessionId }) => (
          <li key={id}>
            <ActionState status={status} /> <code>{escapeLine(action)}</code> <RelativeTime at={createdAt} />{" "}
            <Link to={`/sessions/${sessionId}`}>session</Link>
          </li>
        ))}
      </ul>
      {isAdmin && !why && (
        <div className="row">
          <Button kind="danger" onClick={() => setRevoking(true)}>
            Revoke…
          </Button>
        </div>
      )}
      <Confirm
        open={revoking}
        onOpenChange={setRevoking}
        title="Revoke this grant?"
        effect="From now on its calls wait for an approval again. Calls that already run are not stopped. A revoked grant cannot be restored; create a new one."
        verb="Revoke it"
        act={revoke}
      />
    </Dialog>
  );
}
