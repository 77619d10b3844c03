import { useQueryClient } from "@tanstack/react-query";
import { createColumnHelper } from "@tanstack/react-table";
import { useMemo, useState } from "react";
import { api } from "@/api/client";
import { cx } from "@/lib/cx";
import { escapeLine } from "@/lib/visible";
import { useRepos } from "@/parts/scopes";
import { Answer } from "@/ui/Answer";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { Confirm } from "@/ui/Confirm";
import { Empty } from "@/ui/Empty";
import { Table } from "@/ui/Table";
import css from "./configurations.module.css";
import { PUSHES, type Repo } from "./queries";
import { RepoDialog } from "./RepoDialog";

/** The organization's repositories, which configurations are put together from. */
export function Repos() {
  const repos = useRepos();
  const client = useQueryClient();
  const [edited, setEdited] = useState<Repo | "new" | null>(null);
  const [removed, setRemoved] = useState<Repo | null>(null);
  const columns = useMemo(() => {
    const column = createColumnHelper<Repo>();
    return [
      column.accessor("name", {
        header: "Repository",
        cell: ({ row: { original } }) => (
          <div>
            {escapeLine(original.name)}{" "}
            {original.isOrphaned && <Badge tone="warn">No connection gives access</Badge>}
            <p className={cx("muted small", css.address)}>{escapeLine(original.url ?? "on this machine")}</p>
          </div>
        ),
      }),
      column.accessor("defaultBranch", { header: "Branch", meta: { wide: true } }),
      column.accessor("source", { header: "From", meta: { wide: true } }),
      column.accessor(({ push }) => PUSHES[push], { header: "Agents may push", meta: { wide: true } }),
      column.display({
        id: "acts",
        header: () => <span className="visually-hidden">What can be done</span>,
        cell: ({ row: { original } }) => (
          <span className="row">
            <Button size="s" onClick={() => setEdited(original)}>
              Change
            </Button>
            <Button size="s" kind="danger" onClick={() => setRemoved(original)}>
              Remove…
            </Button>
          </span>
        ),
      }),
    ];
  }, []);
  return (
    <Card
      title="Repositories"
      flush
      actions={
        <Button size="s" onClick={() => setEdited("new")}>
          Add a repository
        </Button>
      }
    >
      <Answer of={repos} what="Looking for repositories">
        {(rows) =>
          rows.length > 0 ? (
            <Table rows={rows} columns={columns} label="Repositories" rowId={({ id }) => id} />
          ) : (
            <Empty title="No repositories yet.">Add the ones that agents should work on.</Empty>
          )
        }
      </Answer>
      {edited && <RepoDialog repo={edited === "new" ? null : edited} onClose={() => setEdited(null)} />}
      <Confirm
        open={removed !== null}
        onOpenChange={() => setRemoved(null)}
        title={`Remove ${removed?.name ?? "it"}?`}
        effect="It is taken out of every configuration that uses it, and its own secrets are deleted. The code itself is not touched, and sandboxes that run keep their clones."
        verb="Remove it"
        act={async () => {
          if (removed) await api.DELETE("/v1/repos/{id}", { params: { path: { id: removed.id } } });
          await client.invalidateQueries({ queryKey: ["repos"] });
          await client.invalidateQueries({ queryKey: ["configurations"] });
        }}
      />
    </Card>
  );
}
