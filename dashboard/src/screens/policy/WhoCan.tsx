import { useState } from "react";
import { duration } from "@/lib/time";
import { Answer } from "@/ui/Answer";
import { Badge } from "@/ui/Badge";
import { Card } from "@/ui/Card";
import { Empty } from "@/ui/Empty";
import { Facts } from "@/ui/Facts";
import { Field } from "@/ui/Field";
import { Note } from "@/ui/Note";
import css from "./policy.module.css";
import { type Policy, useWhoCan } from "./queries";

/** Every way to a tool: in which role, through which lane, saying what. */
export function WhoCan({ policy }: { policy: Policy }) {
  const [tool, setTool] = useState(policy.tools[0]?.operation ?? "");
  const answer = useWhoCan(tool);
  const spec = policy.tools.find(({ operation }) => operation === tool);
  return (
    <div className={css.columns}>
      <Card title="Tool">
        <div className="stack">
          <Field label="Who can use">
            {(wiring) => (
              <select {...wiring} value={tool} onChange={({ target }) => setTool(target.value)}>
                {policy.tools.map(({ operation }) => (
                  <option key={operation}>{operation}</option>
                ))}
              </select>
            )}
          </Field>
          {spec && (
            <Facts
              facts={[
                ["What it does", spec.description],
                ["Run by", `${spec.executor}, version ${spec.version}, at most ${duration(spec.timeoutMs)}`],
                ["Leaves our hands", spec.external ? "yes" : "no"],
                ["Others read it", spec.writesShared ? "yes" : "no"],
                ["May be repeated", spec.idempotent ? "yes" : "no"],
                ["Takes", spec.accepts.join(", ")],
                ["Makes", spec.produces.join(", ")],
              ]}
            />
          )}
        </div>
      </Card>
      <Card title="Ways to it">
        <Answer of={answer} what="Asking the policy">
          {({ enabled, ways }) => (
            <>
              {!enabled && (
                <Note tone="warn" title="It is switched off.">
                  <p>No role can use it, whatever is below.</p>
                </Note>
              )}
              {ways.length > 0 ? (
                <ul className={css.ways}>
                  {ways.map(({ lane, role, requires }) => (
                    <li key={lane + role}>
                      <strong>{role}</strong> through <code>{lane}</code>
                      {requires.length > 0 && (
                        <span className="row small">
                          <span className="muted">says</span>
                          {requires.map((key) => (
                            <Badge key={key}>{key}</Badge>
                          ))}
                        </span>
                      )}
                    </li>
                  ))}
                </ul>
              ) : (
                <Empty title="No role.">No lane allows it; the policy's files would have to say so.</Empty>
              )}
            </>
          )}
        </Answer>
      </Card>
    </div>
  );
}
