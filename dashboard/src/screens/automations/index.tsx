import { useQueryClient } from "@tanstack/react-query";
import { createColumnHelper } from "@tanstack/react-table";
import { Link, Route, Routes, useNavigate } from "react-router";
import { api, body } from "@/api/client";
import { NotFound } from "@/app/NotFound";
import { escapeLine, escapeText } from "@/lib/visible";
import { Answer } from "@/ui/Answer";
import { Badge } from "@/ui/Badge";
import { Card } from "@/ui/Card";
import { Empty } from "@/ui/Empty";
import { LinkButton } from "@/ui/LinkButton";
import { More } from "@/ui/More";
import { Page } from "@/ui/Page";
import { RelativeTime } from "@/ui/RelativeTime";
import { Table } from "@/ui/Table";
import { toast } from "@/ui/Toast";
import { AutomationForm } from "./AutomationForm";
import { AutomationPage } from "./AutomationPage";
import css from "./automations.module.css";
import { type Automation, useAutomations } from "./queries";
import { RunPage } from "./RunPage";

const column = createColumnHelper<Automation>();
const columns = [
  column.accessor("name", {
    header: "Name",
    cell: ({ row: { original } }) => (
      <div>
        <Link to={`/automations/${original.id}`}>{escapeLine(original.name)}</Link>
        {original.description && <p className="muted small">{escapeText(original.description)}</p>}
      </div>
    ),
  }),
  column.accessor("enabled", {
    header: "State",
    cell: ({ getValue }) => (
      <Badge tone={getValue() ? "good" : "neutral"} dot>
        {getValue() ? "On" : "Off"}
      </Badge>
    ),
  }),
  column.accessor("modelId", { header: "Model", meta: { wide: true } }),
  column.accessor("updatedAt", {
    header: "Changed",
    meta: { wide: true },
    cell: ({ getValue }) => <RelativeTime at={getValue()} />,
  }),
];

const add = (
  <LinkButton to="/automations/new" kind="primary">
    New automation
  </LinkButton>
);

function Overview() {
  const automations = useAutomations();
  const navigate = useNavigate();
  return (
    <Page
      title="Automations"
      lead="Tasks that agents work on alone, each run in a session of its own."
      actions={add}
    >
      <Card flush>
        <Answer of={automations} what="Looking for automations">
          {(rows) =>
            rows.length > 0 ? (
              <>
                <Table
                  rows={rows}
                  columns={columns}
                  label="Automations"
                  rowId={({ id }) => id}
                  onOpen={({ id }) => void navigate(`/automations/${id}`)}
                />
                <More of={automations} />
              </>
            ) : (
              <Empty title="No automations yet." action={add}>
                Write down once what an agent is to do, and start it whenever it is needed. It says how it
                ended.
              </Empty>
            )
          }
        </Answer>
      </Card>
    </Page>
  );
}

function New() {
  const client = useQueryClient();
  const navigate = useNavigate();
  return (
    <Page title="New automation" actions={<LinkButton to="/automations">Back</LinkButton>}>
      <Card className={css.narrow}>
        <AutomationForm
          verb="Add it"
          save={async (request) => {
            const made = await body(api.POST("/v1/automations", { body: request }));
            await client.invalidateQueries({ queryKey: ["automations"] });
            toast.done(`${made.name} is added.`);
            await navigate(`/automations/${made.id}`);
          }}
        />
      </Card>
    </Page>
  );
}

export default function AutomationsScreen() {
  return (
    <Routes>
      <Route index element={<Overview />} />
      <Route path="new" element={<New />} />
      <Route path="runs/:runId" element={<RunPage />} />
      <Route path=":id" element={<AutomationPage />} />
      <Route path="*" element={<NotFound />} />
    </Routes>
  );
}
