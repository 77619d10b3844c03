import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { api, body, type Schemas } from "@/api/client";
import { useMe } from "@/api/me";
import { escapeLine } from "@/lib/visible";
import { Button } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { Checkbox } from "@/ui/Checkbox";
import { Facts } from "@/ui/Facts";
import { Failure } from "@/ui/Failure";
import { Note } from "@/ui/Note";
import { RelativeTime } from "@/ui/RelativeTime";
import css from "./device.module.css";

type Props = {
  code: string;
  login: Schemas["DeviceLoginView"];
  onDecided: () => void;
  onOther: () => void;
};

const DAY_S = 86_400;

/** What a terminal would get, and the decision about it. */
export function Decide({ code, login, onDecided, onOther }: Props) {
  const { me } = useMe();
  const [isOwn, setOwn] = useState(false);
  const decide = useMutation({
    mutationFn: (decision: Schemas["DeviceLoginDecision"]) =>
      body(api.POST("/v1/login/device/decision", { body: { code, decision } })),
    onSuccess: onDecided,
  });
  if (decide.data)
    return decide.variables === "approve" ? (
      <Note tone="good" title={`${login.machine} acts as you from now on.`}>
        <p>
          Go back to the terminal. The key is in <Link to="/settings?tab=keys">Settings, API keys</Link>,
          where you can revoke it.
        </p>
      </Note>
    ) : (
      <Note tone="good" title="Denied. The terminal gets nothing.">
        <p>If the link to this page was sent to you, tell an admin of your organization.</p>
      </Note>
    );
  return (
    <Card title={<>A terminal on {escapeLine(login.machine)} wants to act as you</>}>
      <div className={css.words}>
        <p className={css.code}>
          <span className="visually-hidden">Code </span>
          {escapeLine(code)}
        </p>
        <Facts
          facts={[
            ["It says it is", login.machine],
            ["The request came from", login.client],
            ["It asked", <RelativeTime key="asked" at={login.createdAt} />],
            ["It would act as", me?.email ?? me?.userId],
            ["In the organization", me?.organizationName ?? me?.organizationId],
            ["With your role", me?.role],
            ["For", `${Math.round(login.keyExpiresInSeconds / DAY_S)} days, or until you revoke its key`],
          ]}
        />
        <Note tone="warn" title="Approve only what you started.">
          <p>
            The terminal can then do everything that you can do here: read sessions, talk to agents, approve
            their actions. A link that was sent to you may carry the code of its sender's terminal. If you did
            not run <code>proliferate login</code> just now, deny it.
          </p>
        </Note>
        <Checkbox
          label="I started this terminal's login myself, and it shows this very code."
          checked={isOwn}
          onChange={({ target }) => setOwn(target.checked)}
        />
        {decide.error ? <Failure error={decide.error} /> : null}
        <div className="row">
          <Button
            kind="primary"
            disabled={!isOwn}
            busy={decide.isPending && decide.variables === "approve"}
            onClick={() => decide.mutate("approve")}
          >
            Approve
          </Button>
          <Button
            kind="danger"
            busy={decide.isPending && decide.variables === "deny"}
            onClick={() => decide.mutate("deny")}
          >
            Deny
          </Button>
          <Button onClick={onOther}>Another code</Button>
        </div>
      </div>
    </Card>
  );
}
