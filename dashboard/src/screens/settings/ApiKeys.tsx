import { zodResolver } from "@hookform/resolvers/zod";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { createColumnHelper } from "@tanstack/react-table";
import { useMemo, useState } from "react";
import { useForm } from "react-hook-form";
import { z } from "zod";
import { api, body } from "@/api/client";
import { escapeLine } from "@/lib/visible";
import { Person } from "@/parts/members";
import { Answer } from "@/ui/Answer";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { Confirm } from "@/ui/Confirm";
import { Dialog } from "@/ui/Dialog";
import { Empty } from "@/ui/Empty";
import { Field } from "@/ui/Field";
import { Form } from "@/ui/Form";
import { More } from "@/ui/More";
import { RelativeTime } from "@/ui/RelativeTime";
import { Table } from "@/ui/Table";
import { toast } from "@/ui/Toast";
import { type ApiKey, useApiKeys } from "./queries";
import { ShownOnce } from "./ShownOnce";

const DAY_S = 86_400;
const shape = z.object({
  name: z.string().trim().min(1, "Say what it is for.").max(100, "At most 100 characters."),
  days: z.string(),
});

export function ApiKeys() {
  const keys = useApiKeys();
  const client = useQueryClient();
  const [making, setMaking] = useState(false);
  const [made, setMade] = useState<string | null>(null);
  const [revoked, setRevoked] = useState<ApiKey | null>(null);
  const columns = useMemo(() => {
    const column = createColumnHelper<ApiKey>();
    return [
      column.accessor("name", {
        header: "For",
        cell: ({ row: { original } }) => (
          <div>
            {escapeLine(original.name)} <p className="muted small mono">{original.prefix}…</p>
          </div>
        ),
      }),
      column.accessor("userId", {
        header: "Stands for",
        meta: { wide: true },
        cell: ({ getValue }) => <Person id={getValue()} />,
      }),
      column.accessor("createdAt", {
        header: "Made",
        meta: { wide: true },
        cell: ({ getValue }) => <RelativeTime at={getValue()} />,
      }),
      column.display({
        id: "state",
        header: "State",
        cell: ({ row: { original } }) => <KeyState of={original} />,
      }),
      column.display({
        id: "acts",
        header: () => <span className="visually-hidden">What can be done</span>,
        cell: ({ row: { original } }) =>
          !original.revokedAt && (
            <Button size="s" kind="danger" onClick={() => setRevoked(original)}>
              Revoke…
            </Button>
          ),
      }),
    ];
  }, []);
  return (
    <Card
      title="API keys"
      flush
      actions={
        <Button size="s" kind="primary" onClick={() => setMaking(true)}>
          Make an API key
        </Button>
      }
    >
      <Answer of={keys} what="Looking for API keys">
        {(rows) =>
          rows.length > 0 ? (
            <>
              <Table rows={rows} columns={columns} label="API keys" rowId={({ id }) => id} />
              <More of={keys} />
            </>
          ) : (
            <Empty title="No API keys yet.">
              Make one for a script or a program. It may do what you may, until it is revoked.
            </Empty>
          )
        }
      </Answer>
      {making && (
        <Make
          onClose={() => setMaking(false)}
          onMade={(key) => {
            setMaking(false);
            setMade(key);
          }}
        />
      )}
      {made && (
        <ShownOnce
          title="Your new API key"
          lead="Keep it now: it is shown only once. It gives its holder your permissions."
          secret={made}
          onClose={() => setMade(null)}
        />
      )}
      <Confirm
        open={revoked !== null}
        onOpenChange={() => setRevoked(null)}
        title={`Revoke ${revoked?.name ?? "the key"}?`}
        effect="What uses it is refused from the next request on. It cannot be made valid again."
        verb="Revoke it"
        act={async () => {
          if (revoked) await api.DELETE("/v1/api-keys/{id}", { params: { path: { id: revoked.id } } });
          await client.invalidateQueries({ queryKey: ["api-keys"] });
          toast.done("Revoked.");
        }}
      />
    </Card>
  );
}

function KeyState({ of: { revokedAt, expiresAt } }: { of: ApiKey }) {
  if (revokedAt) return <Badge tone="neutral">Revoked</Badge>;
  if (!expiresAt) return <Badge tone="good">No end</Badge>;
  const isOver = new Date(expiresAt).getTime() < Date.now();
  return (
    <Badge tone={isOver ? "neutral" : "good"}>
      <span>
        {isOver ? "Ended" : "Ends"} <RelativeTime at={expiresAt} />
      </span>
    </Badge>
  );
}

function Make({ onClose, onMade }: { onClose: () => void; onMade: (key: string) => void }) {
  const client = useQueryClient();
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(shape),
    defaultValues: { name: "", days: "90" },
  });
  const make = useMutation({
    mutationFn: ({ name, days }: z.infer<typeof shape>) =>
      body(
        api.POST("/v1/api-keys", { body: { name, expiresInSeconds: days ? Number(days) * DAY_S : null } }),
      ),
    onSuccess: async ({ key }) => {
      await client.invalidateQueries({ queryKey: ["api-keys"] });
      onMade(key);
    },
  });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Make an API key"
      lead="It stands for you and may do what you may."
    >
      <Form
        error={make.error}
        onSubmit={handleSubmit((values) => make.mutate(values))}
        foot={
          <>
            <Button onClick={onClose}>Back</Button>
            <Button kind="primary" type="submit" busy={make.isPending}>
              Make it
            </Button>
          </>
        }
      >
        <Field label="What it is for" error={formState.errors.name?.message}>
          {(wiring) => <input {...wiring} {...register("name")} placeholder="The deploy script" />}
        </Field>
        <Field label="How long it lives">
          {(wiring) => (
            <select {...wiring} {...register("days")}>
              <option value="7">A week</option>
              <option value="30">30 days</option>
              <option value="90">90 days</option>
              <option value="365">A year</option>
              <option value="">Until it is revoked</option>
            </select>
          )}
        </Field>
      </Form>
    </Dialog>
  );
}
