import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, body } from "@/api/client";
import { Button } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { Field } from "@/ui/Field";
import { Form } from "@/ui/Form";
import { Note } from "@/ui/Note";
import css from "./policy.module.css";
import type { Policy } from "./queries";
import { writeOf } from "./search";

/** Whether a call would be let through, by the decision that the gateway makes. Nothing is called. */
export function Why({ policy }: { policy: Policy }) {
  const [role, setRole] = useState(policy.roles[0]?.id ?? "");
  const [lane, setLane] = useState("");
  const [tool, setTool] = useState(policy.tools[0]?.operation ?? "");
  const [write, setWrite] = useState("");
  const [scope, setScope] = useState<Record<string, string>>({});
  const chosen = policy.lanes.find(({ id }) => id === lane);
  const keys = chosen?.requires ?? [];
  const ask = useMutation({
    mutationFn: () => {
      const given = Object.entries(scope).filter(([key, value]) => keys.includes(key) && value.trim());
      return body(
        api.POST("/v1/policy/why", {
          body: {
            role,
            tool,
            ...(lane ? { lane } : {}),
            ...(write ? { write: writeOf(write) } : {}),
            scope: Object.fromEntries(given),
          },
        }),
      );
    },
  });
  // An answer is about what was asked, not about what stands in the form since.
  const change =
    <T,>(set: (value: T) => void) =>
    (value: T) => {
      set(value);
      ask.reset();
    };
  return (
    <div className={css.columns}>
      <Card title="The call">
        <Form
          error={ask.error}
          onSubmit={(event) => {
            event.preventDefault();
            ask.mutate();
          }}
          foot={
            <Button kind="primary" type="submit" busy={ask.isPending}>
              Ask the policy
            </Button>
          }
        >
          <Field label="Role">
            {(wiring) => (
              <select {...wiring} value={role} onChange={({ target }) => change(setRole)(target.value)}>
                {policy.roles.map(({ id }) => (
                  <option key={id}>{id}</option>
                ))}
              </select>
            )}
          </Field>
          <Field label="Tool">
            {(wiring) => (
              <select {...wiring} value={tool} onChange={({ target }) => change(setTool)(target.value)}>
                {policy.tools.map(({ operation }) => (
                  <option key={operation}>{operation}</option>
                ))}
              </select>
            )}
          </Field>
          <Field label="Lane">
            {(wiring) => (
              <select {...wiring} value={lane} onChange={({ target }) => change(setLane)(target.value)}>
                <option value="">none is named</option>
                {policy.lanes.map(({ id }) => (
                  <option key={id}>{id}</option>
                ))}
              </select>
            )}
          </Field>
          {chosen && chosen.writes.length > 0 && (
            <Field label="Writes to" optional>
              {(wiring) => (
                <select {...wiring} value={write} onChange={({ target }) => change(setWrite)(target.value)}>
                  <option value="">nothing</option>
                  {chosen.writes.map((each) => (
                    <option key={each}>{each}</option>
                  ))}
                </select>
              )}
            </Field>
          )}
          {keys.map((key) => (
            <Field
              key={key}
              label={key}
              hint="The lane wants it; leave it empty to see what happens without."
            >
              {(wiring) => (
                <input
                  {...wiring}
                  value={scope[key] ?? ""}
                  spellCheck={false}
                  onChange={({ target }) => change(setScope)({ ...scope, [key]: target.value })}
                />
              )}
            </Field>
          ))}
        </Form>
      </Card>
      <Card title="What the policy says">
        {!ask.data && (
          <p className="muted">Describe a call and ask. Nothing is called, and nothing is recorded.</p>
        )}
        {ask.data?.allowed === true && (
          <Note tone="good" title="It would be let through.">
            <p>
              Supposing that what has to be looked up is in order: that the run is going on, and the case is
              theirs.
            </p>
          </Note>
        )}
        {ask.data?.allowed === false && (
          <Note tone="bad" title={`It would be denied: ${ask.data.rule ?? "by the policy"}.`}>
            <ul>
              {ask.data.failed.map(({ rule, meaning }) => (
                <li key={rule}>
                  <code>{rule}</code>: {meaning}
                </li>
              ))}
            </ul>
          </Note>
        )}
      </Card>
    </div>
  );
}
