import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate, useParams } from "react-router";
import { api, body, type Schemas } from "@/api/client";
import { plural } from "@/lib/plural";
import { escapeText } from "@/lib/visible";
import { useMay } from "@/parts/may";
import { Person } from "@/parts/members";
import { Answer } from "@/ui/Answer";
import { Button } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { Confirm } from "@/ui/Confirm";
import { Facts } from "@/ui/Facts";
import { Failure } from "@/ui/Failure";
import { LinkButton } from "@/ui/LinkButton";
import { Note } from "@/ui/Note";
import { Page } from "@/ui/Page";
import { RelativeTime } from "@/ui/RelativeTime";
import { toast } from "@/ui/Toast";
import { Deliveries } from "./Deliveries";
import { useWebhook } from "./queries";
import { ShownOnce } from "./ShownOnce";
import css from "./settings.module.css";
import { WebhookForm } from "./WebhookForm";
import { WebhookState } from "./Webhooks";

/** The error of an answer that is no good says which it was. */
function tested({ error, responseStatus, durationMs }: Schemas["TestWebhookResponse"]): string {
  const words = error ?? `it answered ${responseStatus}`;
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}, after ${durationMs} ms.`;
}

/** A webhook: whether its receiver takes what it is sent, and everything it was to be told. */
export function WebhookPage() {
  const { id = "" } = useParams();
  const webhook = useWebhook(id);
  const client = useQueryClient();
  const navigate = useNavigate();
  const { guard } = useMay();
  const [asking, setAsking] = useState<"rotate" | "remove" | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const params = { path: { id } };
  const again = () => client.invalidateQueries({ queryKey: ["webhooks"] });
  const test = useMutation({
    mutationFn: () => body(api.POST("/v1/webhooks/{id}/test", { params })),
    onSuccess: again,
  });
  return (
    <Page
      title="Webhook"
      lead={webhook.data?.url}
      actions={
        <>
          <LinkButton to="/settings?tab=webhooks">Back</LinkButton>
          <Button {...guard} busy={test.isPending} onClick={() => test.mutate()}>
            Send a test
          </Button>
          <Button {...guard} onClick={() => setAsking("rotate")}>
            New secret…
          </Button>
          <Button {...guard} kind="danger" onClick={() => setAsking("remove")}>
            Remove…
          </Button>
        </>
      }
    >
      {test.error && <Failure error={test.error} />}
      {test.data && (
        <Note
          tone={test.data.accepted ? "good" : "bad"}
          title={test.data.accepted ? "Its receiver took it." : "Its receiver did not take it."}
        >
          <p>{escapeText(tested(test.data))}</p>
        </Note>
      )}
      <Answer of={webhook} what="Looking for the webhook">
        {(found) => (
          <>
            <Card title="How it stands" actions={<WebhookState of={found} />}>
              <Facts
                facts={[
                  [
                    "Last taken",
                    found.lastSuccessAt ? <RelativeTime key="" at={found.lastSuccessAt} /> : "nothing yet",
                  ],
                  [
                    "Since then",
                    found.failedAttempts > 0
                      ? `${plural(found.failedAttempts, "attempt")} failed`
                      : undefined,
                  ],
                  ["Last error", found.failingSince && found.lastError],
                  ["Made by", found.createdBy && <Person key="" id={found.createdBy} />],
                ]}
              />
            </Card>
            <Deliveries id={id} />
            <Card title="Settings" className={css.narrow}>
              <WebhookForm
                webhook={found}
                verb="Save"
                save={async (request) => {
                  await body(api.PATCH("/v1/webhooks/{id}", { params, body: request }));
                  await again();
                  toast.done("Saved.");
                }}
              />
            </Card>
          </>
        )}
      </Answer>
      <Confirm
        open={asking === "rotate"}
        onOpenChange={() => setAsking(null)}
        title="Make a new secret?"
        effect="Messages are signed with the new one and the old one for a day, then with the new one alone. Give it to the receiver within that day."
        verb="Make a new secret"
        act={async () => {
          const made = await body(api.POST("/v1/webhooks/{id}/rotate-secret", { params }));
          setSecret(made.secret);
        }}
      />
      <Confirm
        open={asking === "remove"}
        onOpenChange={() => setAsking(null)}
        title="Remove this webhook?"
        effect="Its receiver gets no more notices, not even those that wait to be sent, and its log of deliveries is deleted."
        verb="Remove it"
        act={async () => {
          await api.DELETE("/v1/webhooks/{id}", { params });
          // The deleted webhook is not requested any more.
          await navigate("/settings?tab=webhooks");
          client.removeQueries({ queryKey: ["webhooks", id] });
          await again();
          toast.done("Removed.");
        }}
      />
      {secret && (
        <ShownOnce
          title="Its new secret"
          lead="Keep it now: it is shown only once."
          secret={secret}
          onClose={() => setSecret(null)}
        />
      )}
    </Page>
  );
}
