import { useMutation, useQueryClient } from "@tanstack/react-query";
import { createColumnHelper } from "@tanstack/react-table";
import { useMemo } from "react";
import { api, body } from "@/api/client";
import { escapeText } from "@/lib/visible";
import { Answer } from "@/ui/Answer";
import { Badge, type Tone } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { Empty } from "@/ui/Empty";
import { More } from "@/ui/More";
import { RelativeTime } from "@/ui/RelativeTime";
import { Table } from "@/ui/Table";
import { toast } from "@/ui/Toast";
import { eventWords } from "./events";
import { type Delivery, useDeliveries } from "./queries";

const STATES: Record<Delivery["status"], [Tone, string]> = {
  requested: ["info", "To be sent"],
  retried: ["warn", "To be tried again"],
  accepted: ["good", "Taken"],
  failed: ["bad", "Given up"],
};

/** What a receiver was to be told, and whether it was heard. */
export function Deliveries({ id }: { id: string }) {
  const deliveries = useDeliveries(id);
  const client = useQueryClient();
  const { mutate: redeliver } = useMutation({
    mutationFn: (deliveryId: string) =>
      body(
        api.POST("/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver", {
          params: { path: { id, deliveryId } },
        }),
      ),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["webhooks", id] });
      toast.done("It is sent again.", "Under the id it had, so that its receiver can tell.");
    },
    onError: toast.failed,
  });
  const columns = useMemo(() => {
    const column = createColumnHelper<Delivery>();
    return [
      column.accessor("createdAt", {
        header: "When",
        cell: ({ getValue }) => <RelativeTime at={getValue()} />,
      }),
      column.accessor("event", { header: "What", cell: ({ getValue }) => eventWords(getValue()) }),
      column.accessor("status", {
        header: "State",
        cell: ({ row: { original } }) => {
          const [tone, words] = STATES[original.status];
          return (
            <div>
              <Badge tone={tone}>{words}</Badge>
              {original.error && <p className="muted small">{escapeText(original.error)}</p>}
              {original.status === "retried" && original.nextAttemptAt && (
                <p className="muted small">
                  next <RelativeTime at={original.nextAttemptAt} />
                </p>
              )}
            </div>
          );
        },
      }),
      column.accessor("attempts", { header: "Attempts", meta: { wide: true } }),
      column.accessor("responseStatus", { header: "Answer", meta: { wide: true } }),
      column.display({
        id: "acts",
        header: () => <span className="visually-hidden">What can be done</span>,
        cell: ({ row: { original } }) =>
          (original.status === "accepted" || original.status === "failed") && (
            <Button size="s" onClick={() => redeliver(original.id)}>
              Send again
            </Button>
          ),
      }),
    ];
  }, [redeliver]);
  return (
    <Card title="Deliveries" flush>
      <Answer of={deliveries} what="Reading the log of deliveries">
        {(rows) =>
          rows.length > 0 ? (
            <>
              <Table rows={rows} columns={columns} label="Deliveries" rowId={(delivery) => delivery.id} />
              <More of={deliveries} />
            </>
          ) : (
            <Empty title="Nothing was to be told yet.">Send a test to see that the receiver hears.</Empty>
          )
        }
      </Answer>
    </Card>
  );
}
