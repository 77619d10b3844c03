import { useMutation, useQueryClient } from "@tanstack/react-query";
import { createColumnHelper } from "@tanstack/react-table";
import { useMemo, useState } from "react";
import { api, body, type Schemas } from "@/api/client";
import { useMe } from "@/api/me";
import { escapeLine } from "@/lib/visible";
import { LookOnly } from "@/parts/may";
import { type Member, useMembers } from "@/parts/members";
import { Answer } from "@/ui/Answer";
import { Button } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { Confirm } from "@/ui/Confirm";
import { Empty } from "@/ui/Empty";
import { Note } from "@/ui/Note";
import { RelativeTime } from "@/ui/RelativeTime";
import { Table } from "@/ui/Table";
import { toast } from "@/ui/Toast";
import { Invitations } from "./Invitations";
import { RemoveMember } from "./RemoveMember";
import { EFFECTS, mayChange, ONE, ROLES } from "./roles";
import css from "./settings.module.css";

/** Who belongs to the organization, and what they may do. */
export function Members() {
  const { me, isAdmin } = useMe();
  const members = useMembers();
  const client = useQueryClient();
  const [asked, setAsked] = useState<{ member: Member; role: Schemas["Role"] } | null>(null);
  const [removed, setRemoved] = useState<Member | null>(null);
  const change = useMutation({
    mutationFn: ({ member, role }: { member: Member; role: Schemas["Role"] }) =>
      body(api.PATCH("/v1/members/{id}", { params: { path: { id: member.userId } }, body: { role } })),
    onSuccess: async ({ name, role }) => {
      await client.invalidateQueries({ queryKey: ["members"] });
      await client.invalidateQueries({ queryKey: ["me"] });
      toast.done(`${name} is ${ONE[role]} now.`);
    },
  });
  const role = me?.role;
  const columns = useMemo(() => {
    const column = createColumnHelper<Member>();
    return [
      column.accessor("name", {
        header: "Name",
        cell: ({ row: { original } }) => (
          <div>
            {escapeLine(original.name)}{" "}
            {original.userId === me?.userId && <span className="muted small">you</span>}
            <p className="muted small">{escapeLine(original.email ?? "")}</p>
          </div>
        ),
      }),
      column.accessor("role", {
        header: "Role",
        cell: ({ row: { original } }) => {
          const manager = original.roleManagedBy && escapeLine(original.roleManagedBy);
          const why = manager
            ? `The groups of the member at ${manager} decide it, at each sign-in.`
            : mayChange(role, original.role);
          return (
            <>
              <select
                className={css.role}
                aria-label={`Role of ${escapeLine(original.name)}`}
                value={original.role}
                disabled={why !== null}
                title={why ?? undefined}
                onChange={({ target }) =>
                  setAsked({ member: original, role: target.value as Schemas["Role"] })
                }
              >
                {ROLES.map((each) => (
                  <option key={each} value={each} disabled={each === "owner" && role !== "owner"}>
                    {each}
                  </option>
                ))}
              </select>
              {manager && <p className="muted small">Role managed by {manager}</p>}
            </>
          );
        },
      }),
      column.accessor("createdAt", {
        header: "Since",
        meta: { wide: true },
        cell: ({ getValue }) => <RelativeTime at={getValue()} />,
      }),
      column.display({
        id: "acts",
        header: () => <span className="visually-hidden">What can be done</span>,
        cell: ({ row: { original } }) => {
          const isOwn = original.userId === me?.userId;
          const why = isOwn ? null : mayChange(role, original.role);
          return (
            <Button
              size="s"
              kind="danger"
              aria-label={isOwn ? "Leave the organization" : `Remove ${escapeLine(original.name)}`}
              disabled={why !== null}
              title={why ?? undefined}
              onClick={() => setRemoved(original)}
            >
              {isOwn ? "Leave…" : "Remove…"}
            </Button>
          );
        },
      }),
    ];
  }, [me?.userId, role]);
  return (
    <div className="stack">
      <LookOnly what="Inviting, changing and removing others" />
      <Card title="Members" flush>
        <Answer of={members} what="Looking for members">
          {({ items, hasMore }) => (
            <>
              {items.length > 0 ? (
                <Table rows={items} columns={columns} label="Members" rowId={({ userId }) => userId} />
              ) : (
                <Empty title="It has no members yet.">
                  Users join by an invitation, or when they first sign in.
                </Empty>
              )}
              {hasMore && <Note>There are more members than are shown here.</Note>}
            </>
          )}
        </Answer>
      </Card>
      {isAdmin && <Invitations />}
      {removed && <RemoveMember member={removed} onClose={() => setRemoved(null)} />}
      {asked && (
        <Confirm
          open
          onOpenChange={() => setAsked(null)}
          title={`Make ${asked.member.name} ${ONE[asked.role]}?`}
          effect={EFFECTS[asked.role]}
          verb="Change it"
          act={() => change.mutateAsync(asked)}
        />
      )}
    </div>
  );
}
