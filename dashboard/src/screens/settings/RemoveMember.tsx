import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { api, body } from "@/api/client";
import { useMe } from "@/api/me";
import { plural } from "@/lib/plural";
import { escapeLine } from "@/lib/visible";
import { type Member, useMembers } from "@/parts/members";
import { Checkbox } from "@/ui/Checkbox";
import { Confirm } from "@/ui/Confirm";
import { Field } from "@/ui/Field";
import { toast } from "@/ui/Toast";

/** Removes a member, or lets the user leave, and says what that does. */
export function RemoveMember({ member, onClose }: { member: Member; onClose: () => void }) {
  const { me } = useMe();
  const client = useQueryClient();
  const navigate = useNavigate();
  const members = useMembers();
  const isOwn = member.userId === me?.userId;
  const heirs = (members.data?.items ?? []).filter(
    ({ userId, role }) => userId !== member.userId && role !== "member",
  );
  const [successor, setSuccessor] = useState("");
  const [erase, setErase] = useState(false);
  const chosen = successor || (isOwn ? heirs.find(({ role }) => role === "owner")?.userId : me?.userId);
  const remove = async () => {
    const query = { erase, ...(chosen && { successor: chosen }) };
    const params = { path: { id: member.userId }, query };
    const { sessions, automations, isErased } = await body(api.DELETE("/v1/members/{id}", { params }));
    if (isOwn) {
      client.clear();
      await navigate("/login", { replace: true });
      return;
    }
    await client.invalidateQueries({ queryKey: ["members"] });
    await client.invalidateQueries({ queryKey: ["invitations"] });
    const kept =
      erase && !isErased ? " Name and address stay: the user is a member of another organization." : "";
    const went = `${plural(sessions, "session")} and ${plural(automations, "automation")} went over.`;
    toast.done(`${escapeLine(member.name)} is removed. ${went}${kept}`);
  };
  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={isOwn ? "Leave the organization?" : `Remove ${member.name}?`}
      effect={
        isOwn
          ? "Your logins and API keys end at once. You cannot come back without a new invitation."
          : "Their logins, API keys, open pages and terminals end within five seconds, and what they invited is revoked. It cannot be undone; they can be invited again."
      }
      verb={isOwn ? "Leave" : "Remove"}
      act={remove}
    >
      <Field label="Sessions and automations go to" hint="What runs goes on. The log keeps who did what.">
        {(wiring) => (
          <select {...wiring} value={chosen} onChange={({ target }) => setSuccessor(target.value)}>
            {heirs.map(({ userId, name, role }) => (
              <option key={userId} value={userId}>
                {escapeLine(name)} ({userId === me?.userId ? "you" : role})
              </option>
            ))}
          </select>
        )}
      </Field>
      {me?.role === "owner" && !isOwn && (
        <Checkbox
          label="Erase their name and address, too, unless they belong to another organization. The log has ids only and still verifies."
          checked={erase}
          onChange={({ target }) => setErase(target.checked)}
        />
      )}
    </Confirm>
  );
}
