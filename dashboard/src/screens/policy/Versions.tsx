import { useState } from "react";
import type { Schemas } from "@/api/client";
import { escapeLine } from "@/lib/visible";
import { Answer } from "@/ui/Answer";
import { Badge, type Tone } from "@/ui/Badge";
import { Card } from "@/ui/Card";
import { Empty } from "@/ui/Empty";
import { Facts } from "@/ui/Facts";
import { Field } from "@/ui/Field";
import css from "./policy.module.css";
import { type Policy, useDiff, useVersions } from "./queries";

const TONES: Record<string, [Tone, string]> = {
  added: ["good", "New"],
  removed: ["bad", "Gone"],
  changed: ["warn", "Changed"],
};

/** The policies that calls were decided by, and what one changes against another. */
export function Versions({ policy }: { policy: Policy }) {
  const versions = useVersions();
  const pin = ({ blob, commit }: Schemas["PolicyPin"]) => (
    <>
      <code>{blob}</code> {commit && <span className="muted">of commit {commit.slice(0, 12)}</span>}
    </>
  );
  return (
    <div className="stack">
      <Card title="In force">
        <Facts
          facts={[
            ["Lanes", pin(policy.pins.lanes)],
            ["Roles", pin(policy.pins.roles)],
            ["Tools", pin(policy.pins.tools)],
          ]}
        />
      </Card>
      <Answer of={versions} what="Looking for earlier policies">
        {({ items }) =>
          items.length > 1 ? (
            <Compare versions={items} />
          ) : (
            <Card>
              <Empty title="There was one policy so far.">
                When its files change, those that calls went by are kept here and can be compared.
              </Empty>
            </Card>
          )
        }
      </Answer>
    </div>
  );
}

function Compare({ versions }: { versions: Schemas["PolicyVersionView"][] }) {
  const [to, setTo] = useState(versions[0]?.id ?? "");
  const [from, setFrom] = useState(versions[1]?.id ?? "");
  const diff = useDiff(from, to);
  const choices = versions.map(({ id, current, firstUsedAt }) => (
    <option key={id} value={id}>
      {id.slice(0, 12)}
      {current ? " (in force)" : ""}
      {`, since ${new Date(firstUsedAt).toLocaleString("en")}`}
    </option>
  ));
  return (
    <Card title="What changed">
      <div className="stack">
        <div className={css.columns}>
          <Field label="From">
            {(wiring) => (
              <select {...wiring} value={from} onChange={({ target }) => setFrom(target.value)}>
                {choices}
              </select>
            )}
          </Field>
          <Field label="To">
            {(wiring) => (
              <select {...wiring} value={to} onChange={({ target }) => setTo(target.value)}>
                {choices}
              </select>
            )}
          </Field>
        </div>
        {from === to ? (
          <Empty title="Twice the same.">Choose two that differ.</Empty>
        ) : (
          <Answer of={diff} what="Comparing">
            {({ changes }) =>
              changes.length > 0 ? (
                <ul className={css.ways}>
                  {changes.map((change) => (
                    <Change key={change.kind + change.name} of={change} />
                  ))}
                </ul>
              ) : (
                <Empty title="They say the same.">Only their bytes differ, in comments or order.</Empty>
              )
            }
          </Answer>
        )}
      </div>
    </Card>
  );
}

function Change({ of }: { of: Schemas["PolicyChangeView"] }) {
  const [tone, words] = TONES[of.change] ?? ["neutral", of.change];
  return (
    <li>
      <span className="row">
        <Badge tone={tone}>{words}</Badge> {of.kind} <code>{escapeLine(of.name)}</code>
      </span>
      {of.fields.map(({ field, removed, added }) => (
        <div key={field} className={css.field}>
          <span className="muted small">{field}</span>
          {removed.map((value) => (
            <del key={value}>{escapeLine(value)}</del>
          ))}
          {added.map((value) => (
            <ins key={value}>{escapeLine(value)}</ins>
          ))}
        </div>
      ))}
    </li>
  );
}
