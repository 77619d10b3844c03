import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useNavigate, useParams } from "react-router";
import { api, body } from "@/api/client";
import { money } from "@/lib/money";
import { escapeText } from "@/lib/visible";
import { Person } from "@/parts/members";
import { useSecrets } from "@/parts/secrets";
import { Snapshots } from "@/parts/snapshots/Snapshots";
import { Answer } from "@/ui/Answer";
import { Button } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { Confirm } from "@/ui/Confirm";
import { Facts } from "@/ui/Facts";
import { LinkButton } from "@/ui/LinkButton";
import { Note } from "@/ui/Note";
import { Page } from "@/ui/Page";
import { RelativeTime } from "@/ui/RelativeTime";
import { Remove } from "@/ui/Remove";
import { toast } from "@/ui/Toast";
import { ConfigurationForm } from "./ConfigurationForm";
import css from "./configurations.module.css";
import { ofConfiguration, toRequest } from "./form";
import { type Configuration, useConfiguration, useSnapshots } from "./queries";
import { State } from "./State";

const MADE_BY: Record<Configuration["type"], string> = {
  manual: "a user",
  managed: "the platform, for its repositories",
  cli: "a terminal, for a folder",
};

export function ConfigurationPage() {
  const { id = "" } = useParams();
  const configuration = useConfiguration(id);
  const client = useQueryClient();
  const navigate = useNavigate();
  const params = { path: { id } };
  return (
    <Page
      title={configuration.data?.name ?? "Configuration"}
      lead={configuration.data?.notes}
      actions={
        <>
          <LinkButton to="/configurations">Back</LinkButton>
          <LinkButton to={`/sessions/new?configuration=${id}`}>New session</LinkButton>
          <Remove
            question={`Delete ${configuration.data?.name ?? "this configuration"}?`}
            effect="Its services, env files and its own secrets go with it, and it cannot be had back. One that a session or an automation refers to is not deleted."
            verb="Delete it"
            act={async () => {
              await api.DELETE("/v1/configurations/{id}", { params });
              await client.invalidateQueries({ queryKey: ["configurations"] });
              await navigate("/configurations");
            }}
          >
            Delete
          </Remove>
        </>
      }
    >
      <Answer of={configuration} what="Looking for the configuration">
        {(found) => (
          <>
            {found.error && (
              <Note tone="bad" title="It could not be built.">
                <p>{escapeText(found.error)}</p>
              </Note>
            )}
            <Standing of={found} />
            <Saved id={id} />
            <Card title="What its sessions start from" className={css.narrow}>
              <ConfigurationForm
                values={ofConfiguration(found)}
                verb="Save"
                save={async (values) => {
                  await body(
                    api.PATCH("/v1/configurations/{id}", {
                      params,
                      body: toRequest(values, found),
                    }),
                  );
                  await client.invalidateQueries({ queryKey: ["configurations"] });
                  toast.done("Saved.", "Sessions that begin from now on start from it.");
                }}
              />
            </Card>
          </>
        )}
      </Answer>
    </Page>
  );
}

/** Snapshots of its sessions: any of them can be what the next ones start from. */
function Saved({ id }: { id: string }) {
  const snapshots = useSnapshots(id);
  return (
    <Card title="Snapshots" className={css.narrow}>
      <Answer of={snapshots} what="Looking for snapshots">
        {({ items }) =>
          items.length > 0 ? (
            <Snapshots snapshots={items} configurationId={id} />
          ) : (
            <p className="muted small">
              None. A session saves one from its menu; it is here for as long as that session is, or the
              configuration starts from it.
            </p>
          )
        }
      </Answer>
    </Card>
  );
}

function Standing({ of }: { of: Configuration }) {
  const client = useQueryClient();
  const secrets = useSecrets();
  const [forgetting, setForgetting] = useState(false);
  const own = (secrets.data ?? []).filter(
    ({ scope }) => scope.kind === "configuration" && scope.id === of.id,
  ).length;
  const forget = useMutation({
    mutationFn: async () => {
      await body(
        api.PATCH("/v1/configurations/{id}", { params: { path: { id: of.id } }, body: { snapshotId: null } }),
      );
      await client.invalidateQueries({ queryKey: ["configurations"] });
    },
  });
  return (
    <Card title="How it stands" actions={<State of={of.status} />} className={css.narrow}>
      <div className="stack">
        <Facts
          facts={[
            [
              "Made by",
              <span key="">
                {MADE_BY[of.type]}
                {of.createdBy && (
                  <>
                    {" "}
                    (<Person id={of.createdBy} />)
                  </>
                )}
              </span>,
            ],
            ["Changed", <RelativeTime key="" at={of.updatedAt} />],
            [
              "Snapshot",
              of.snapshotId ? (
                <code key="">{of.snapshotId}</code>
              ) : (
                "none: sessions begin with fresh clones of its repositories"
              ),
            ],
            [
              "Budget",
              of.budgetMicroUsd == null
                ? "what the organization lets every session"
                : `${money(of.budgetMicroUsd)} for each session`,
            ],
            ["Connectors", `${of.connectors.length} of its own`],
            ["Secrets", <Link key="" to="/secrets">{`${own} of its own`}</Link>],
          ]}
        />
        {of.snapshotId ? (
          <div>
            <Button size="s" onClick={() => setForgetting(true)}>
              Begin without the snapshot…
            </Button>
          </div>
        ) : (
          <p className="muted small">
            To have sessions begin where one stopped, ask its agent in a set-up session to save a snapshot.
          </p>
        )}
      </div>
      <Confirm
        open={forgetting}
        onOpenChange={setForgetting}
        title="Begin without the snapshot?"
        effect="Sessions that begin from now on clone the repositories anew and install what they need again, which takes longer. Sessions that are going on keep what they have."
        verb="Begin without it"
        act={() => forget.mutateAsync()}
      />
    </Card>
  );
}
