import { createColumnHelper } from "@tanstack/react-table";
import { useMemo, useState } from "react";
import type { Schemas } from "@/api/client";
import { useMe } from "@/api/me";
import { escapeLine, escapeText } from "@/lib/visible";
import { ScopeField } from "@/parts/ScopeField";
import { SecretForm } from "@/parts/SecretForm";
import { inOrder, KIND_NAMES, KINDS, overriddenBy, useScopeName } from "@/parts/scopes";
import { type Secret, useSecrets } from "@/parts/secrets";
import { Answer } from "@/ui/Answer";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { Dialog } from "@/ui/Dialog";
import { Empty } from "@/ui/Empty";
import { Field } from "@/ui/Field";
import { Filters } from "@/ui/Filters";
import { Page } from "@/ui/Page";
import { RelativeTime } from "@/ui/RelativeTime";
import { Table } from "@/ui/Table";
import { Change } from "./Change";
import { Import } from "./Import";
import { Remove } from "./Remove";

type Act = { is: "add" } | { is: "import" } | { is: "change" | "remove"; secret: Secret };

export default function SecretsScreen() {
  const secrets = useSecrets();
  const { isAdmin } = useMe();
  const [words, setWords] = useState("");
  const [kind, setKind] = useState("");
  const [act, setAct] = useState<Act | null>(null);
  const columns = useColumns(secrets.data, isAdmin, setAct);
  const close = () => setAct(null);
  const shown = (all: Secret[]) =>
    inOrder(
      all.filter(
        ({ key, scope }) =>
          key.toLowerCase().includes(words.trim().toLowerCase()) && (kind === "" || scope.kind === kind),
      ),
    );
  const add = (
    <Button kind="primary" onClick={() => setAct({ is: "add" })}>
      Add a secret
    </Button>
  );
  return (
    <Page
      title="Secrets"
      lead="Values for sandboxes and connectors. They are stored encrypted and never shown again."
      actions={
        <>
          <Button onClick={() => setAct({ is: "import" })}>Import a .env file</Button>
          {add}
        </>
      }
    >
      <Filters>
        <Field label="Name">
          {(wiring) => (
            <input
              {...wiring}
              type="search"
              value={words}
              onChange={({ target }) => setWords(target.value)}
            />
          )}
        </Field>
        <Field label="Where it counts">
          {(wiring) => (
            <select {...wiring} value={kind} onChange={({ target }) => setKind(target.value)}>
              <option value="">anywhere</option>
              {KINDS.map((each) => (
                <option key={each} value={each}>
                  {KIND_NAMES[each]}
                </option>
              ))}
            </select>
          )}
        </Field>
      </Filters>
      <Card flush>
        <Answer of={secrets} what="Looking for secrets">
          {(all) =>
            all.length === 0 ? (
              <Empty title="No secrets yet." action={add}>
                Store a value once, and the sandboxes that need it have it. Or import the .env file of a
                project.
              </Empty>
            ) : shown(all).length === 0 ? (
              <Empty title="No secret is like that.">Take a filter away.</Empty>
            ) : (
              <Table rows={shown(all)} columns={columns} label="Secrets" rowId={({ id }) => id} />
            )
          }
        </Answer>
      </Card>
      {act?.is === "add" && <Add onClose={close} />}
      {act?.is === "import" && <Import onClose={close} />}
      {act?.is === "change" && <Change secret={act.secret} onClose={close} />}
      {act?.is === "remove" && <Remove secret={act.secret} others={secrets.data ?? []} onClose={close} />}
    </Page>
  );
}

function useColumns(all: Secret[] | undefined, isAdmin: boolean, onAct: (act: Act) => void) {
  const scopeName = useScopeName();
  return useMemo(() => {
    const column = createColumnHelper<Secret>();
    return [
      column.accessor("key", {
        header: "Name",
        cell: ({ row: { original } }) => (
          <div>
            <code>{escapeLine(original.key)}</code>
            {original.description && <p className="muted small">{escapeText(original.description)}</p>}
          </div>
        ),
      }),
      column.accessor("scope", {
        header: "Where it counts",
        cell: ({ row: { original } }) => {
          const by = overriddenBy(original, all ?? []);
          return (
            <div>
              {scopeName(original.scope)}
              {by.length > 0 && (
                <p className="row muted small">
                  overridden by
                  {by.map(({ id, scope }) => (
                    <Badge key={id} tone="warn">
                      {scopeName(scope)}
                    </Badge>
                  ))}
                </p>
              )}
            </div>
          );
        },
      }),
      column.accessor("updatedAt", {
        header: "Changed",
        meta: { wide: true },
        cell: ({ getValue }) => <RelativeTime at={getValue()} />,
      }),
      column.display({
        id: "acts",
        header: () => <span className="visually-hidden">What can be done</span>,
        cell: ({ row: { original: secret } }) => {
          const guard =
            secret.scope.kind === "organization" && !isAdmin
              ? { disabled: true, title: "The organization's secrets are changed by admins and owners." }
              : {};
          return (
            <span className="row">
              <Button {...guard} size="s" onClick={() => onAct({ is: "change", secret })}>
                Replace
              </Button>
              <Button {...guard} size="s" kind="danger" onClick={() => onAct({ is: "remove", secret })}>
                Delete…
              </Button>
            </span>
          );
        },
      }),
    ];
  }, [all, isAdmin, onAct, scopeName]);
}

function Add({ onClose }: { onClose: () => void }) {
  const { isAdmin } = useMe();
  const [scope, setScope] = useState<Schemas["SecretScope"]>({ kind: "organization" });
  return (
    <Dialog open onOpenChange={onClose} title="Add a secret">
      <ScopeField value={scope} onChange={setScope} />
      {scope.kind === "organization" && !isAdmin ? (
        <p className="muted">
          Choose a repository or a configuration: the organization's own are for admins.
        </p>
      ) : (
        <SecretForm scope={scope} onDone={onClose} onCancel={onClose} />
      )}
    </Dialog>
  );
}
