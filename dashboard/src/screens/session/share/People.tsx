import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, body } from "@/api/client";
import { escapeLine } from "@/lib/visible";
import { useMemberName, useMembers } from "@/parts/members";
import { VISIBILITIES, type Visibility } from "@/parts/visibility";
import { Button } from "@/ui/Button";
import { Form } from "@/ui/Form";
import { Note } from "@/ui/Note";
import { toast } from "@/ui/Toast";
import type { Named, Sharing } from "./queries";
import css from "./share.module.css";

type Props = { id: string; sharing: Sharing };

/** Which members see the session, and who of them may steer it. */
export function People({ id, sharing }: Props) {
  const client = useQueryClient();
  const mayShare = sharing.rights.includes("share");
  const [visibility, setVisibility] = useState<Visibility>(sharing.visibility);
  const [people, setPeople] = useState<Named[]>(sharing.people.map(({ userId, may }) => ({ userId, may })));
  const save = useMutation({
    mutationFn: () =>
      body(
        api.PUT("/v1/sessions/{id}/sharing", {
          params: { path: { id } },
          body: { visibility, people: visibility === "private" ? [] : people },
        }),
      ),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["sessions"] });
      toast.done("Saved.", "It counts at once.");
    },
  });
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
      error={save.error}
      foot={
        mayShare && (
          <Button kind="primary" type="submit" busy={save.isPending}>
            Save who sees it
          </Button>
        )
      }
    >
      {!mayShare && <Note>Only its creator and admins change who sees it and make links.</Note>}
      <fieldset className={css.choices} disabled={!mayShare}>
        <legend>Who sees it</legend>
        {VISIBILITIES.map(({ value, label, effect }) => (
          <label key={value} className={css.choice}>
            <input
              type="radio"
              name="visibility"
              value={value}
              checked={visibility === value}
              onChange={() => setVisibility(value)}
            />
            <span>
              {label} <span className="muted small">{effect}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {visibility !== "private" && (
        <Names people={people} creator={sharing.createdBy} fixed={!mayShare} onChange={setPeople} />
      )}
    </Form>
  );
}

type NamesProps = {
  people: Named[];
  creator: string | null | undefined;
  fixed: boolean;
  onChange: (people: Named[]) => void;
};

function Names({ people, creator, fixed, onChange }: NamesProps) {
  const { data } = useMembers();
  const nameOf = useMemberName();
  const named = new Set(people.map(({ userId }) => userId));
  const others = (data?.items ?? []).filter(({ userId }) => !named.has(userId) && userId !== creator);
  const change = (userId: string, may: Named["may"]) =>
    onChange(people.map((one) => (one.userId === userId ? { userId, may } : one)));
  return (
    <fieldset className={css.choices} disabled={fixed}>
      <legend>Members by name</legend>
      {people.map(({ userId, may }) => (
        <div key={userId} className={css.person}>
          <span className={css.name}>{nameOf(userId)}</span>
          <select
            aria-label={`What ${nameOf(userId)} may do`}
            value={may}
            onChange={({ target }) => change(userId, target.value === "steer" ? "steer" : "see")}
          >
            <option value="see">may see it</option>
            <option value="steer">may steer it</option>
          </select>
          <Button
            size="s"
            aria-label={`Remove ${nameOf(userId)}`}
            onClick={() => onChange(people.filter((one) => one.userId !== userId))}
          >
            Remove
          </Button>
        </div>
      ))}
      {people.length === 0 && <p className="muted small">No members are named.</p>}
      {!fixed && others.length > 0 && (
        <select
          aria-label="Name a member"
          value=""
          onChange={({ target }) =>
            target.value && onChange([...people, { userId: target.value, may: "see" }])
          }
        >
          <option value="">Name a member…</option>
          {others.map(({ userId, name, email }) => (
            <option key={userId} value={userId}>
              {escapeLine(`${name} (${email})`)}
            </option>
          ))}
        </select>
      )}
    </fieldset>
  );
}
