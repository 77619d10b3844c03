import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { api, body } from "@/api/client";
import { Field } from "@/ui/Field";

export type Of = { kind: "session" | "case"; id: string };

/** Which session or case; those at hand are suggested. */
export function TrailFields({ of, onChange }: { of: Of; onChange: (of: Of) => void }) {
  const list = useId();
  const sessions = useQuery({
    queryKey: ["sessions", "suggested"],
    queryFn: () => body(api.GET("/v1/sessions", { params: { query: { limit: 50 } } })),
  });
  const cases = useQuery({
    queryKey: ["cases", "suggested"],
    queryFn: () => body(api.GET("/v1/cases", { params: { query: { limit: 50 } } })),
  });
  const choices =
    of.kind === "session"
      ? (sessions.data?.items ?? []).map(({ id, title }) => ({ id, name: title ?? "untitled" }))
      : (cases.data?.items ?? []).map(({ id }) => ({ id, name: id }));
  return (
    <>
      <Field label="Of a">
        {(wiring) => (
          <select
            {...wiring}
            value={of.kind}
            onChange={({ target }) => onChange({ kind: target.value as Of["kind"], id: "" })}
          >
            <option value="session">session</option>
            <option value="case">case</option>
          </select>
        )}
      </Field>
      <Field label={of.kind === "session" ? "Session" : "Case"} hint="Its id; the last ones are suggested.">
        {(wiring) => (
          <>
            <input
              {...wiring}
              list={list}
              value={of.id}
              spellCheck={false}
              onChange={({ target }) => onChange({ ...of, id: target.value.trim() })}
            />
            <datalist id={list}>
              {choices.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </datalist>
          </>
        )}
      </Field>
    </>
  );
}
