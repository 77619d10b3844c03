import { zodResolver } from "@hookform/resolvers/zod";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { z } from "zod";
import { api, body, type Schemas } from "@/api/client";
import { useMe } from "@/api/me";
import { escapeLine } from "@/lib/visible";
import { type OrganizationView, STATES, useOrganization } from "@/parts/organization";
import { Answer } from "@/ui/Answer";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { Confirm } from "@/ui/Confirm";
import { Facts } from "@/ui/Facts";
import { Field } from "@/ui/Field";
import { Form } from "@/ui/Form";
import { Note } from "@/ui/Note";
import { RelativeTime } from "@/ui/RelativeTime";
import { toast } from "@/ui/Toast";

const shape = z.object({
  name: z.string().trim().min(1, "Name the organization.").max(100, "At most 100 characters."),
});

/** The organization: its name and state, and its end. */
export function Organization() {
  const organization = useOrganization();
  return (
    <Answer of={organization} what="Looking for the organization">
      {(found) => (
        <div className="stack">
          <Card title="Organization">
            <Facts
              facts={[
                ["Id", <code key="id">{escapeLine(found.id)}</code>],
                [
                  "State",
                  <Badge key="state" tone={STATES[found.status].tone}>
                    {STATES[found.status].name}
                  </Badge>,
                ],
                ["Made", <RelativeTime key="made" at={found.createdAt} />],
                ["Reason", found.suspensionReason],
              ]}
            />
          </Card>
          <Name key={found.name} of={found} />
          <Deletion of={found} />
        </div>
      )}
    </Answer>
  );
}

/** What only owners do, and only in an active organization. */
function useOwner(of: OrganizationView) {
  const { me } = useMe();
  const isOwner = me?.role === "owner";
  const why = isOwner ? undefined : "Only an owner of the organization does this.";
  const state = of.status === "active" ? undefined : STATES[of.status].effect;
  return { isOwner, guard: { disabled: Boolean(why ?? state), title: why ?? state } };
}

function useChanged() {
  const client = useQueryClient();
  return async () => {
    await client.invalidateQueries({ queryKey: ["organization"] });
    await client.invalidateQueries({ queryKey: ["me"] });
  };
}

function Name({ of }: { of: OrganizationView }) {
  const { guard } = useOwner(of);
  const changed = useChanged();
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(shape),
    defaultValues: { name: of.name },
  });
  const rename = useMutation({
    mutationFn: (request: Schemas["UpdateOrganizationRequest"]) =>
      body(api.PATCH("/v1/organization", { body: request })),
    onSuccess: async ({ name }) => {
      await changed();
      toast.done(`The organization is ${name} now.`);
    },
  });
  return (
    <Card title="Name">
      <Form
        error={rename.error}
        onSubmit={handleSubmit((values) => rename.mutate(values))}
        foot={
          <Button {...guard} kind="primary" type="submit" busy={rename.isPending}>
            Rename it
          </Button>
        }
      >
        <Field
          label="Name"
          hint="Its id stays: links and settings name it."
          error={formState.errors.name?.message}
        >
          {(wiring) => <input {...wiring} {...register("name")} disabled={guard.disabled} />}
        </Field>
      </Form>
    </Card>
  );
}

function Deletion({ of }: { of: OrganizationView }) {
  const { isOwner, guard } = useOwner(of);
  const changed = useChanged();
  const [asked, setAsked] = useState(false);
  const [typed, setTyped] = useState("");
  const cancel = useMutation({
    mutationFn: () => body(api.DELETE("/v1/organization/deletion")),
    onSuccess: async () => {
      await changed();
      toast.done("The deletion is taken back.");
    },
  });
  const begin = async () => {
    await body(api.POST("/v1/organization/deletion", { body: { confirm: typed } }));
    await changed();
  };
  if (of.status === "deleting")
    return (
      <Card title="Deletion">
        <Note tone="bad" title="The organization is being deleted.">
          <p>
            An owner can take that back until {new Date(of.deletionDueAt ?? "").toLocaleString()}. After that
            an operator removes all of its data, and keeps a signed export of its audit log.
          </p>
        </Note>
        <Form
          error={cancel.error}
          onSubmit={(event) => {
            event.preventDefault();
            cancel.mutate();
          }}
          foot={
            <Button kind="primary" type="submit" disabled={!isOwner} busy={cancel.isPending}>
              Take the deletion back
            </Button>
          }
        />
      </Card>
    );
  return (
    <Card title="Deletion">
      <p>
        Nothing starts any more from that moment on, and live sessions are saved and paused. For seven days an
        owner can take it back. Then an operator of this installation removes all data of the organization,
        and keeps a signed export of its audit log.
      </p>
      <p>
        <Button {...guard} kind="danger" onClick={() => setAsked(true)}>
          Delete the organization
        </Button>
      </p>
      <Confirm
        open={asked}
        onOpenChange={(open) => {
          setAsked(open);
          setTyped("");
        }}
        title={`Delete ${of.name}?`}
        effect="Nothing starts in it from now on. Within seven days an owner can take that back; afterwards its sessions, secrets, integrations and members are removed for good."
        verb="Delete it"
        act={begin}
      >
        <Field label={`Type the name of the organization: ${escapeLine(of.name)}`}>
          {(wiring) => (
            <input
              {...wiring}
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
              spellCheck={false}
            />
          )}
        </Field>
      </Confirm>
    </Card>
  );
}
