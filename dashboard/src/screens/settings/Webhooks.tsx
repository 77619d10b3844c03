import { useQueryClient } from "@tanstack/react-query";
import { createColumnHelper } from "@tanstack/react-table";
import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { api, body } from "@/api/client";
import { escapeLine } from "@/lib/visible";
import { useMay } from "@/parts/may";
import { Answer } from "@/ui/Answer";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { Dialog } from "@/ui/Dialog";
import { Empty } from "@/ui/Empty";
import { More } from "@/ui/More";
import { RelativeTime } from "@/ui/RelativeTime";
import { Table } from "@/ui/Table";
import { eventWords } from "./events";
import { useWebhooks, type Webhook } from "./queries";
import { ShownOnce } from "./ShownOnce";
import { WebhookForm } from "./WebhookForm";

const column = createColumnHelper<Webhook>();
const columns = [
  column.accessor("url", {
    header: "Address",
    cell: ({ row: { original } }) => (
      <Link to={`/settings/webhooks/${original.id}`} className="mono">
        {escapeLine(original.url)}
      </Link>
    ),
  }),
  column.accessor("events", {
    header: "Receives",
    meta: { wide: true },
    cell: ({ getValue }) => <span className="small">{getValue().map(eventWords).join("; ")}</span>,
  }),
  column.display({
    id: "state",
    header: "State",
    cell: ({ row: { original } }) => <WebhookState of={original} />,
  }),
];

export function WebhookState({ of }: { of: Webhook }) {
  if (!of.enabled) return <Badge>Off</Badge>;
  if (of.failingSince)
    return (
      <Badge tone="bad" dot>
        <span>
          Fails since <RelativeTime at={of.failingSince} />
        </span>
      </Badge>
    );
  return (
    <Badge tone="good" dot>
      {of.lastSuccessAt ? "Works" : "Nothing sent yet"}
    </Badge>
  );
}

export function Webhooks() {
  const { isAdmin, guard } = useMay();
  const webhooks = useWebhooks(isAdmin);
  const client = useQueryClient();
  const navigate = useNavigate();
  const [adding, setAdding] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <Card
      title="Webhooks"
      flush
      actions={
        <Button {...guard} size="s" kind="primary" onClick={() => setAdding(true)}>
          Add a webhook
        </Button>
      }
    >
      {!isAdmin ? (
        <Empty title="Webhooks are for admins and owners.">Ask one of them to add or change one.</Empty>
      ) : (
        <Answer of={webhooks} what="Looking for webhooks">
          {(rows) =>
            rows.length > 0 ? (
              <>
                <Table
                  rows={rows}
                  columns={columns}
                  label="Webhooks"
                  rowId={({ id }) => id}
                  onOpen={({ id }) => void navigate(`/settings/webhooks/${id}`)}
                />
                <More of={webhooks} />
              </>
            ) : (
              <Empty title="No webhooks yet.">
                Sends a notice to a program of yours when a call waits for a decision, and when it has ended.
              </Empty>
            )
          }
        </Answer>
      )}
      <Dialog open={adding} onOpenChange={setAdding} title="Add a webhook">
        <WebhookForm
          verb="Add it"
          save={async ({ url, events }) => {
            const made = await body(api.POST("/v1/webhooks", { body: { url, events } }));
            await client.invalidateQueries({ queryKey: ["webhooks"] });
            setAdding(false);
            setSecret(made.secret);
          }}
        />
      </Dialog>
      {secret && (
        <ShownOnce
          title="Its signing secret"
          lead="Keep it now: it is shown only once. Messages are signed with it."
          secret={secret}
          onClose={() => setSecret(null)}
        />
      )}
    </Card>
  );
}
