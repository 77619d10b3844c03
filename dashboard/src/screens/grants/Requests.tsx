import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { api } from "@/api/client";
import { useMe } from "@/api/me";
import { plural } from "@/lib/plural";
import { escapeLine, escapeText } from "@/lib/visible";
import { useIntegrationName } from "@/parts/names";
import { Badge, type Tone } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { Checkbox } from "@/ui/Checkbox";
import { Confirm } from "@/ui/Confirm";
import cards from "@/ui/cards.module.css";
import { Empty } from "@/ui/Empty";
import { Failure } from "@/ui/Failure";
import { Field } from "@/ui/Field";
import { Loading } from "@/ui/Loading";
import { RelativeTime } from "@/ui/RelativeTime";
import { type GrantRequest, useRequests } from "./useGrants";

const STATES: Record<GrantRequest["status"], [Tone, string]> = {
  pending: ["warn", "Waits"],
  granted: ["good", "Granted"],
  refused: ["neutral", "Refused"],
  expired: ["neutral", "Expired"],
};

/** What agents asked to be granted. They cannot grant themselves anything. */
export function Requests() {
  const [all, setAll] = useState(false);
  const { requests, error, isPending, refetch, hasNextPage, fetchNextPage } = useRequests(
    all ? undefined : "pending",
  );
  if (error && requests.length === 0) return <Failure error={error} again={refetch} />;
  return (
    <div className="stack">
      <Checkbox
        label="Also those that were decided"
        checked={all}
        onChange={({ target }) => setAll(target.checked)}
      />
      {isPending && <Loading what="Fetching requests" />}
      {!isPending && requests.length === 0 && (
        <Empty title="No agent asks for a grant.">
          An agent that has to make the same kind of call often may ask for one; it is decided here.
        </Empty>
      )}
      <ul className={cards.list}>
        {requests.map((request) => (
          <Request key={request.id} request={request} />
        ))}
      </ul>
      {hasNextPage && <Button onClick={() => fetchNextPage()}>Older requests</Button>}
    </div>
  );
}

function Request({ request }: { request: GrantRequest }) {
  const { id, action, integration, maxCalls, scope, sessionId, status, createdAt, reason } = request;
  const client = useQueryClient();
  const name = useIntegrationName();
  const { isAdmin } = useMe();
  const [refusing, setRefusing] = useState(false);
  const [why, setWhy] = useState("");
  const settle = () => client.invalidateQueries({ queryKey: ["grants"] });
  const path = { id };
  const grant = useMutation({
    mutationFn: () => api.POST("/v1/grant-requests/{id}/grant", { params: { path } }),
    onSettled: settle,
  });
  const refuse = async () => {
    await api.POST("/v1/grant-requests/{id}/refuse", {
      params: { path },
      body: { reason: why.trim() || null },
    });
    await settle();
  };
  const calls = maxCalls ? plural(maxCalls, "call") : "Any number of calls";
  return (
    <li className={cards.card}>
      <div className="row spread">
        <div>
          <h2>
            {calls} of <code>{escapeLine(action)}</code> in {name(integration)}
          </h2>
          <p className="muted small">
            {scope === "org" ? "For every session" : "For its session"} · asked by{" "}
            <Link to={`/sessions/${sessionId}`}>a session</Link> <RelativeTime at={createdAt} />
          </p>
        </div>
        <Badge tone={STATES[status][0]}>{STATES[status][1]}</Badge>
      </div>
      {reason && <p>Because: {escapeText(reason)}</p>}
      {grant.error && <Failure error={grant.error} />}
      {isAdmin && status === "pending" && (
        <div className="row">
          <Button kind="primary" busy={grant.isPending} onClick={() => grant.mutate()}>
            Grant it
          </Button>
          <Button kind="danger" onClick={() => setRefusing(true)}>
            Refuse…
          </Button>
        </div>
      )}
      <Confirm
        open={refusing}
        onOpenChange={setRefusing}
        title="Refuse this request?"
        effect="The agent receives the reason. Each of its calls still waits for an approval."
        verb="Refuse it"
        act={refuse}
      >
        <Field label="Reason" optional>
          {(wiring) => (
            <input {...wiring} maxLength={500} value={why} onChange={({ target }) => setWhy(target.value)} />
          )}
        </Field>
      </Confirm>
    </li>
  );
}
