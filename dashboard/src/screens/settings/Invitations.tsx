import { zodResolver } from "@hookform/resolvers/zod";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { createColumnHelper } from "@tanstack/react-table";
import { useMemo, useState } from "react";
import { useForm } from "react-hook-form";
import { z } from "zod";
import { api, body } from "@/api/client";
import { useMe } from "@/api/me";
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
import { type Invitation, useInvitations } from "./queries";
import { ROLES } from "./roles";
import { ShownOnce } from "./ShownOnce";

const HOUR_S = 3_600;
const shape = z.object({
  role: z.enum(["member", "admin", "owner"]),
  email: z.string().trim(),
  hours: z.string(),
});

/** Who is invited, and how to invite. For admins. */
export function Invitations() {
  const invitations = useInvitations();
  const client = useQueryClient();
  const [inviting, setInviting] = useState(false);
  const [made, setMade] = useState<{ link: string; isMailed: boolean } | null>(null);
  const [revoked, setRevoked] = useState<Invitation | null>(null);
  const columns = useMemo(() => {
    const column = createColumnHelper<Invitation>();
    return [
      column.accessor("email", {
        header: "For",
        cell: ({ row: { original } }) => (
          <div>
            {original.email ? escapeLine(original.email) : "Each holder of the link"}
            <p className="muted small">as {original.role}</p>
          </div>
        ),
      }),
      column.accessor("createdBy", {
        header: "Invited by",
        meta: { wide: true },
        cell: ({ getValue }) => <Person id={getValue()} />,
      }),
      column.display({
        id: "mail",
        header: "Mail",
        cell: ({ row: { original } }) => <Mail of={original} />,
      }),
      column.display({
        id: "state",
        header: "State",
        cell: ({ row: { original } }) => <InvitationState of={original} />,
      }),
      column.display({
        id: "acts",
        header: () => <span className="visually-hidden">What can be done</span>,
        cell: ({ row: { original } }) => (
          <Button size="s" kind="danger" onClick={() => setRevoked(original)}>
            Revoke…
          </Button>
        ),
      }),
    ];
  }, []);
  return (
    <Card
      title="Invitations"
      flush
      actions={
        <Button size="s" kind="primary" onClick={() => setInviting(true)}>
          Invite a person
        </Button>
      }
    >
      <Answer of={invitations} what="Looking for invitations">
        {(rows) =>
          rows.length > 0 ? (
            <>
              <Table rows={rows} columns={columns} label="Invitations" rowId={({ id }) => id} />
              <More of={invitations} />
            </>
          ) : (
            <Empty title="No pending invitations.">
              Invite a person by a link. It makes them a member once, and ends by itself.
            </Empty>
          )
        }
      </Answer>
      {inviting && (
        <Invite
          onClose={() => setInviting(false)}
          onMade={(it) => {
            setInviting(false);
            setMade(it);
          }}
        />
      )}
      {made && (
        <ShownOnce
          title="The link of the invitation"
          lead={
            made.isMailed
              ? "The address gets a mail with a link of its own. This one is for you to hand over, if the mail does not arrive: it is shown only once, and each holder can join."
              : "Hand it to the person: it is shown only once, and each holder can join."
          }
          secret={made.link}
          onClose={() => setMade(null)}
        />
      )}
      <Confirm
        open={revoked !== null}
        onOpenChange={() => setRevoked(null)}
        title="Revoke the invitation?"
        effect="Its links are refused from now on. Invite the person again if it was a mistake."
        verb="Revoke it"
        act={async () => {
          if (revoked) await api.DELETE("/v1/invitations/{id}", { params: { path: { id: revoked.id } } });
          await client.invalidateQueries({ queryKey: ["invitations"] });
          toast.done("Revoked.");
        }}
      />
    </Card>
  );
}

function InvitationState({ of: { status, expiresAt } }: { of: Invitation }) {
  const isOver = status === "expired" || new Date(expiresAt).getTime() < Date.now();
  return (
    <Badge tone={isOver ? "neutral" : "good"}>
      <span>
        {isOver ? "Ended" : "Ends"} <RelativeTime at={expiresAt} />
      </span>
    </Badge>
  );
}

function Mail({ of: { mail } }: { of: Invitation }) {
  if (!mail) return <span className="muted small">By hand</span>;
  const tone = { waiting: "neutral", sent: "good", failed: "bad" } as const;
  const words = { waiting: "Waits to be sent", sent: "Sent", failed: "Not sent" };
  return (
    <div>
      <Badge tone={tone[mail.status]}>{words[mail.status]}</Badge>
      {mail.error && <p className="muted small">{escapeLine(mail.error)}</p>}
    </div>
  );
}

type InviteProps = { onClose: () => void; onMade: (made: { link: string; isMailed: boolean }) => void };

function Invite({ onClose, onMade }: InviteProps) {
  const { me } = useMe();
  const client = useQueryClient();
  const { register, handleSubmit } = useForm<z.infer<typeof shape>>({
    resolver: zodResolver(shape),
    defaultValues: { role: "member", email: "", hours: "168" },
  });
  const invite = useMutation({
    mutationFn: ({ role, email, hours }: z.infer<typeof shape>) =>
      body(
        api.POST("/v1/invitations", {
          body: { role, ...(email && { email }), expiresInSeconds: Number(hours) * HOUR_S },
        }),
      ),
    onSuccess: async ({ link, invitation }) => {
      await client.invalidateQueries({ queryKey: ["invitations"] });
      onMade({ link, isMailed: invitation.mail !== undefined });
    },
  });
  return (
    <Dialog open onOpenChange={onClose} title="Invite a person" lead="They become a member by a link, once.">
      <Form
        error={invite.error}
        onSubmit={handleSubmit((values) => invite.mutate(values))}
        foot={
          <>
            <Button onClick={onClose}>Back</Button>
            <Button kind="primary" type="submit" busy={invite.isPending}>
              Invite
            </Button>
          </>
        }
      >
        <Field
          label="Address of mail"
          optional
          hint="With an address, only it can be used to join. The link is mailed there if the gateway has a mail server."
        >
          {(wiring) => (
            <input {...wiring} {...register("email")} type="email" placeholder="ada@acme.example" />
          )}
        </Field>
        <Field label="Role">
          {(wiring) => (
            <select {...wiring} {...register("role")}>
              {ROLES.map((role) => (
                <option key={role} value={role} disabled={role === "owner" && me?.role !== "owner"}>
                  {role}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label="How long it may be accepted">
          {(wiring) => (
            <select {...wiring} {...register("hours")}>
              <option value="1">An hour</option>
              <option value="24">A day</option>
              <option value="168">A week</option>
              <option value="720">30 days</option>
            </select>
          )}
        </Field>
      </Form>
    </Dialog>
  );
}
