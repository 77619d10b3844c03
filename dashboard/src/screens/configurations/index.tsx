import { useQueryClient } from "@tanstack/react-query";
import { createColumnHelper } from "@tanstack/react-table";
import { Link, Route, Routes, useNavigate } from "react-router";
import { api, body } from "@/api/client";
import { NotFound } from "@/app/NotFound";
import { plural } from "@/lib/plural";
import { escapeLine } from "@/lib/visible";
import { useConfigurations } from "@/parts/scopes";
import { Answer } from "@/ui/Answer";
import { Card } from "@/ui/Card";
import { Digest } from "@/ui/Digest";
import { Empty } from "@/ui/Empty";
import { LinkButton } from "@/ui/LinkButton";
import { Page } from "@/ui/Page";
import { RelativeTime } from "@/ui/RelativeTime";
import { Table } from "@/ui/Table";
import { toast } from "@/ui/Toast";
import { ConfigurationForm } from "./ConfigurationForm";
import { ConfigurationPage } from "./ConfigurationPage";
import css from "./configurations.module.css";
import { EMPTY, toRequest } from "./form";
import type { Configuration } from "./queries";
import { Repos } from "./Repos";
import { State } from "./State";

const column = createColumnHelper<Configuration>();
const columns = [
  column.accessor("name", {
    header: "Name",
    cell: ({ row, getValue }) => (
      <Link to={`/configurations/${row.original.id}`}>{escapeLine(getValue())}</Link>
    ),
  }),
  column.accessor("status", { header: "State", cell: ({ getValue }) => <State of={getValue()} /> }),
  column.display({
    id: "holds",
    header: "Has",
    meta: { wide: true },
    cell: ({ row: { original } }) =>
      [
        plural(original.repos.length, "repository", "repositories"),
        plural(original.serviceCommands.length, "service"),
        plural(original.envFiles.length, "env file"),
      ].join(", "),
  }),
  column.accessor("snapshotId", {
    header: "Snapshot",
    meta: { wide: true },
    cell: ({ getValue }) => {
      const id = getValue();
      return id ? <Digest of={id} /> : <span className="muted">none</span>;
    },
  }),
  column.accessor("updatedAt", {
    header: "Changed",
    meta: { wide: true },
    cell: ({ getValue }) => <RelativeTime at={getValue()} />,
  }),
];

const add = (
  <LinkButton to="/configurations/new" kind="primary">
    New configuration
  </LinkButton>
);

function Overview() {
  const configurations = useConfigurations();
  const navigate = useNavigate();
  return (
    <Page
      title="Configurations"
      lead="What sessions start from: repositories, services, env files and a snapshot."
      actions={add}
    >
      <Card flush>
        <Answer of={configurations} what="Looking for configurations">
          {(rows) =>
            rows.length > 0 ? (
              <Table
                rows={rows}
                columns={columns}
                label="Configurations"
                rowId={({ id }) => id}
                onOpen={({ id }) => void navigate(`/configurations/${id}`)}
              />
            ) : (
              <Empty title="No configurations yet." action={add}>
                A session can begin without one, in an empty workspace. With one it begins with your code.
              </Empty>
            )
          }
        </Answer>
      </Card>
      <Repos />
    </Page>
  );
}

function New() {
  const client = useQueryClient();
  const navigate = useNavigate();
  return (
    <Page title="New configuration" actions={<LinkButton to="/configurations">Back</LinkButton>}>
      <Card className={css.narrow}>
        <ConfigurationForm
          values={EMPTY}
          verb="Create it"
          save={async (values) => {
            const made = await body(api.POST("/v1/configurations", { body: toRequest(values) }));
            await client.invalidateQueries({ queryKey: ["configurations"] });
            toast.done(`${made.name} is created.`);
            await navigate(`/configurations/${made.id}`);
          }}
        />
      </Card>
    </Page>
  );
}

export default function ConfigurationsScreen() {
  return (
    <Routes>
      <Route index element={<Overview />} />
      <Route path="new" element={<New />} />
      <Route path=":id" element={<ConfigurationPage />} />
      <Route path="*" element={<NotFound />} />
    </Routes>
  );
}
