import type { Schemas } from "@/api/client";
import { useMe } from "@/api/me";
import { escapeLine } from "@/lib/visible";
import { Field } from "@/ui/Field";
import { useConfigurations, useRepos } from "./scopes";

type Scope = Schemas["SecretScope"];
const toText = ({ kind, id }: Scope) => (id ? `${kind} ${id}` : kind);
const fromText = (text: string): Scope => {
  const [kind = "organization", id] = text.split(" ");
  return { kind: kind as Scope["kind"], ...(id ? { id } : {}) };
};

/** Where secrets are to count. The organization's are for admins. */
export function ScopeField({ value, onChange }: { value: Scope; onChange: (scope: Scope) => void }) {
  const { isAdmin } = useMe();
  const repos = useRepos();
  const configurations = useConfigurations();
  return (
    <Field
      label="Where it counts"
      hint="Of one name the narrowest is taken: a session's before a configuration's, before a repository's, before the organization's."
    >
      {(wiring) => (
        <select {...wiring} value={toText(value)} onChange={({ target }) => onChange(fromText(target.value))}>
          <option value="organization" disabled={!isAdmin}>
            The whole organization{isAdmin ? "" : " (for admins)"}
          </option>
          {repos.data?.map(({ id, name }) => (
            <option key={id} value={`repo ${id}`}>
              Repository {escapeLine(name)}
            </option>
          ))}
          {configurations.data?.map(({ id, name }) => (
            <option key={id} value={`configuration ${id}`}>
              Configuration {escapeLine(name)}
            </option>
          ))}
          {value.kind === "session" && <option value={toText(value)}>This session</option>}
        </select>
      )}
    </Field>
  );
}
