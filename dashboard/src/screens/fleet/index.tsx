import { useQuery } from "@tanstack/react-query";
import { createColumnHelper } from "@tanstack/react-table";
import { api, body } from "@/api/client";
import { useMe } from "@/api/me";
import { plural } from "@/lib/plural";
import { escapeLine } from "@/lib/visible";
import { instanceName } from "@/parts/names";
import { Answer } from "@/ui/Answer";
import { Badge } from "@/ui/Badge";
import { Card } from "@/ui/Card";
import { Empty } from "@/ui/Empty";
import { Facts } from "@/ui/Facts";
import { Meter } from "@/ui/Meter";
import { Note } from "@/ui/Note";
import { Page } from "@/ui/Page";
import { RelativeTime } from "@/ui/RelativeTime";
import { Table } from "@/ui/Table";
import { DrainButton } from "./DrainButton";
import { drained, type Instance, phases, summary } from "./load";

const column = createColumnHelper<Instance>();
const columns = [
  column.display({
    id: "instance",
    header: "Instance",
    cell: ({ row: { original } }) => (
      <div>
        <code title={original.id}>{instanceName(original.id)}</code>{" "}
        {original.isThis && <Badge tone="accent">Answers you</Badge>}
        {original.drain && <Badge tone="warn">Draining</Badge>}
        <p className="muted small mono">{escapeLine(original.url ?? "")}</p>
        {original.drain && <p className="small">{drained(original.drain)}</p>}
      </div>
    ),
  }),
  column.accessor("role", { header: "Does", meta: { wide: true } }),
  column.display({
    id: "sessions",
    header: "Live sessions",
    cell: ({
      row: {
        original: { hubs },
      },
    }) => <Meter used={hubs.leases} max={hubs.max} label={`${hubs.leases} of ${hubs.max}`} />,
  }),
  column.display({
    id: "phases",
    header: "By phase",
    meta: { wide: true },
    cell: ({ row: { original } }) => (
      <span className="row">
        {phases(original.hubs).map(({ name, number, tone }) => (
          <Badge key={name} tone={tone}>
            {number} {name}
          </Badge>
        ))}
      </span>
    ),
  }),
  column.accessor("hubs.clients", { header: "Watched by", meta: { wide: true } }),
  column.accessor("version", { header: "Version", meta: { wide: true } }),
  column.accessor("heartbeatAt", {
    header: "Heard of",
    cell: ({ getValue }) => <RelativeTime at={getValue()} />,
  }),
  column.display({
    id: "drain",
    header: () => <span className="visually-hidden">Taking it out</span>,
    cell: ({ row: { original } }) => <DrainButton of={original} />,
  }),
];

/** The processes that serve, and what they hold. */
export default function FleetScreen() {
  const { me, operates } = useMe();
  const fleet = useQuery({
    queryKey: ["fleet"],
    queryFn: () => body(api.GET("/v1/fleet")),
    enabled: operates,
    refetchInterval: 5_000,
  });
  return (
    <Page
      title="Fleet"
      lead="The processes that are alive, the sessions each of them holds, and whether their leases are good."
    >
      {me && !operates ? (
        <Empty title="The fleet is for operators of this installation.">
          Instances serve all organizations. Admins and owners of the organization that the setup link made
          see them here, or of those that the setting <code>fleet.operators</code> names.
        </Empty>
      ) : (
        <Answer of={fleet} what="Asking the instances">
          {({ instances, hubs, jobs }) => {
            const { unconfirmed, leaving, versions } = summary(instances);
            return (
              <>
                {unconfirmed > 0 && (
                  <Note tone="warn" title={`${plural(unconfirmed, "lease")} cannot be confirmed.`}>
                    <p>
                      Coordination does not answer. Sessions go on, and are moved nowhere until it does; look
                      at Redis.
                    </p>
                  </Note>
                )}
                {versions.length > 1 && (
                  <Note title="Several versions run at once.">
                    <p>{versions.join(", ")}: an update is going on, or an instance was left behind.</p>
                  </Note>
                )}
                <Card title="All together">
                  <Facts
                    facts={[
                      ["Instances", instances.length],
                      ["Live sessions", hubs],
                      ["On their way out", leaving],
                    ]}
                  />
                </Card>
                <Card title="Queue">
                  <Facts
                    facts={[
                      ["To be done later", jobs.waiting - jobs.due],
                      ["Due now", jobs.due],
                      ["Being done", jobs.running],
                      ["Given up", jobs.failed],
                    ]}
                  />
                  {jobs.failed > 0 && (
                    <p className="muted small">
                      What was given up is in the instances' logs, with the reason.
                    </p>
                  )}
                </Card>
                <Card title="Instances" flush>
                  {instances.length > 0 ? (
                    <Table rows={instances} columns={columns} label="Instances" rowId={({ id }) => id} />
                  ) : (
                    <Empty title="No instance has described itself yet.">
                      One does so every ten seconds; this page asks again by itself.
                    </Empty>
                  )}
                </Card>
                <Note title="Taking an instance out">
                  <p>
                    Drain it here, and stop it when it is empty. Stopped as it is (SIGTERM), it does the same
                    first: it takes no new session, lets its agents end their turns, and others take its
                    sessions over.
                  </p>
                </Note>
              </>
            );
          }}
        </Answer>
      )}
    </Page>
  );
}
