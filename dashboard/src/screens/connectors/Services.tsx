import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, body } from "@/api/client";
import { useMe } from "@/api/me";
import { SOURCES, type Source } from "@/api/sources";
import { escapeLine } from "@/lib/visible";
import { useMay } from "@/parts/may";
import { Answer } from "@/ui/Answer";
import { Badge, type Tone } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { Confirm } from "@/ui/Confirm";
import { RelativeTime } from "@/ui/RelativeTime";
import { toast } from "@/ui/Toast";
import { ConnectDialog } from "./ConnectDialog";
import css from "./connectors.module.css";
import { type Integration, useIntegrations } from "./queries";

const STATES: Record<Integration["status"], [Tone, string]> = {
  active: ["good", "Connected"],
  expired: ["bad", "Expired: reconnect it"],
  revoked: ["bad", "Revoked"],
  suspended: ["neutral", "Suspended"],
};
const HOW: Record<Integration["provider"], string> = {
  static: "by token",
  oauth2: "by consent",
  "github-app": "by a GitHub App",
};

/** The services that are built in, and the organization's connections to them. */
export function Services() {
  const integrations = useIntegrations();
  const [connecting, setConnecting] = useState<{ service: Source; again?: Integration } | null>(null);
  return (
    <Card title="Services" flush>
      <Answer of={integrations} what="Looking for connections">
        {(all) => (
          <div className={css.services}>
            {SOURCES.map((service) => (
              <section key={service.id} className={css.service} aria-label={service.name}>
                <div className={css.head}>
                  <div>
                    <h3>{service.name}</h3>
                    <p className="muted small">{service.summary}</p>
                  </div>
                  <ConnectButton service={service} onOpen={() => setConnecting({ service })} />
                </div>
                {all
                  .filter(({ integrationId }) => integrationId === service.id)
                  .map((each) => (
                    <Connection
                      key={each.id}
                      of={each}
                      onReconnect={() => setConnecting({ service, again: each })}
                    />
                  ))}
              </section>
            ))}
          </div>
        )}
      </Answer>
      {connecting && <ConnectDialog {...connecting} onClose={() => setConnecting(null)} />}
    </Card>
  );
}

function ConnectButton({ service, onOpen }: { service: Source; onOpen: () => void }) {
  const { guard } = useMay();
  return (
    <Button {...guard} size="s" onClick={onOpen} aria-label={`Connect ${service.name}`}>
      Connect
    </Button>
  );
}

function Connection({ of, onReconnect }: { of: Integration; onReconnect: () => void }) {
  const { me } = useMe();
  const { guard, isAdmin } = useMay();
  const client = useQueryClient();
  const [removing, setRemoving] = useState(false);
  const [tone, words] = STATES[of.status];
  const params = { path: { id: of.id } };
  const again = () => client.invalidateQueries({ queryKey: ["integrations"] });
  const suspend = useMutation({
    mutationFn: () =>
      body(
        api.PATCH("/v1/integrations/{id}", {
          params,
          body: { status: of.status === "suspended" ? "active" : "suspended" },
        }),
      ),
    onSuccess: again,
    onError: toast.failed,
  });
  // An admin may remove any, a member the ones they made.
  const mayRemove = isAdmin || (me?.userId !== undefined && me.userId === of.createdBy);
  return (
    <div className={css.connection}>
      <div className={css.words}>
        <strong>{escapeLine(of.displayName)}</strong>
        <p className="muted small">
          {HOW[of.provider]}, <RelativeTime at={of.createdAt} />
          {of.scopes.length > 0 && `, for ${escapeLine(of.scopes.join(", "))}`}
        </p>
      </div>
      <Badge tone={tone} dot>
        {words}
      </Badge>
      <div className="row">
        {of.status !== "active" && (
          <Button {...guard} size="s" onClick={onReconnect}>
            Reconnect
          </Button>
        )}
        {(of.status === "active" || of.status === "suspended") && (
          <Button {...guard} size="s" busy={suspend.isPending} onClick={() => suspend.mutate()}>
            {of.status === "suspended" ? "Resume" : "Suspend"}
          </Button>
        )}
        <Button
          size="s"
          kind="danger"
          disabled={!mayRemove}
          title={mayRemove ? undefined : "Only admins, and the user who connected it, may do this."}
          onClick={() => setRemoving(true)}
        >
          Disconnect…
        </Button>
      </div>
      <Confirm
        open={removing}
        onOpenChange={setRemoving}
        title={`Disconnect ${of.displayName}?`}
        effect="Its credentials are deleted here, and sessions that use it cannot call the service any more, from the next call on. To use it again it has to be connected anew."
        verb="Disconnect"
        act={async () => {
          await api.DELETE("/v1/integrations/{id}", { params });
          await again();
        }}
      />
    </div>
  );
}
