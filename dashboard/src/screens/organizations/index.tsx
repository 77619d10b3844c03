import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { createColumnHelper } from "@tanstack/react-table";
import { useState } from "react";
import { api, body } from "@/api/client";
import { useMe } from "@/api/me";
import { escapeLine } from "@/lib/visible";
import { type OrganizationView, STATES } from "@/parts/organization";
import { Answer } from "@/ui/Answer";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { Empty } from "@/ui/Empty";
import { Note } from "@/ui/Note";
import { Page } from "@/ui/Page";
import { RelativeTime } from "@/ui/RelativeTime";
import { Table } from "@/ui/Table";
import { toast } from "@/ui/Toast";
import { NewOrganization } from "./NewOrganization";
import { SuspendDialog } from "./SuspendDialog";

const column = createColumnHelper<OrganizationView>();

/** The organizations of the installation, for its operators. */
export default function OrganizationsScreen() {
  const { me, operates } = useMe();
  const client = useQueryClient();
  const [isNew, setNew] = useState(false);
  const [suspending, setSuspending] = useState<OrganizationView | null>(null);
  const organizations = useQuery({
    queryKey: ["organizations"],
    queryFn: () => body(api.GET("/v1/organizations")),
    enabled: operates,
  });
  const changed = () => client.invalidateQueries({ queryKey: ["organizations"] });
  const resume = useMutation({
    mutationFn: (id: string) => body(api.POST("/v1/organizations/{id}/resume", { params: { path: { id } } })),
    onSuccess: async ({ name }) => {
      await changed();
      toast.done(`${name} is active again.`, "Paused sessions go on when they are opened.");
    },
    onError: toast.failed,
  });
  const columns = [
    column.accessor("name", {
      header: "Name",
      cell: ({ row: { original } }) => (
        <div>
          {escapeLine(original.name)} {original.operates && <Badge tone="accent">Operates</Badge>}
          <p className="muted small mono">{escapeLine(original.id)}</p>
        </div>
      ),
    }),
    column.accessor("status", {
      header: "State",
      cell: ({ row: { original } }) => (
        <div>
          <Badge tone={STATES[original.status].tone}>{STATES[original.status].name}</Badge>
          {original.suspensionReason && <p className="small">{escapeLine(original.suspensionReason)}</p>}
        </div>
      ),
    }),
    column.accessor("createdAt", {
      header: "Made",
      meta: { wide: true },
      cell: ({ getValue }) => <RelativeTime at={getValue()} />,
    }),
    column.display({
      id: "act",
      header: () => <span className="visually-hidden">Suspending it</span>,
      cell: ({ row: { original } }) =>
        original.status === "suspended" ? (
          <Button busy={resume.isPending} onClick={() => resume.mutate(original.id)}>
            Resume
          </Button>
        ) : (
          original.status === "active" &&
          original.id !== me?.organizationId && (
            <Button onClick={() => setSuspending(original)}>Suspend</Button>
          )
        ),
    }),
  ];
  return (
    <Page
      title="Organizations"
      lead="The tenants of this installation. Deleting one is for its owner, or for an operator at a terminal."
      actions={
        operates && (
          <Button kind="primary" onClick={() => setNew(true)}>
            New organization
          </Button>
        )
      }
    >
      {me && !operates ? (
        <Empty title="Organizations are for operators of this installation.">
          Admins and owners of the organization that the setup link made see them here, or of those that the
          setting <code>fleet.operators</code> names.
        </Empty>
      ) : (
        <Answer of={organizations} what="Looking for organizations">
          {({ items, hasMore }) => (
            <Card flush>
              <Table rows={items} columns={columns} label="Organizations" rowId={({ id }) => id} />
              {hasMore && <Note>There are more organizations than are shown here.</Note>}
            </Card>
          )}
        </Answer>
      )}
      {isNew && <NewOrganization onClose={() => setNew(false)} onMade={changed} />}
      {suspending && <SuspendDialog of={suspending} onClose={() => setSuspending(null)} onDone={changed} />}
    </Page>
  );
}
