import { Check } from "lucide-react";
import { useState } from "react";
import { cx } from "@/lib/cx";
import { duration } from "@/lib/time";
import { Badge } from "@/ui/Badge";
import { Card } from "@/ui/Card";
import { Dialog } from "@/ui/Dialog";
import { Facts } from "@/ui/Facts";
import { Field } from "@/ui/Field";
import { Filters } from "@/ui/Filters";
import css from "./policy.module.css";
import type { Lane, Policy } from "./queries";
import { narrowed } from "./search";

const list = (items: string[]) => (items.length > 0 ? items.join(", ") : "nothing");

/** Every lane against every role: who is let in where. */
export function Matrix({ policy }: { policy: Policy }) {
  const [words, setWords] = useState("");
  const [opened, setOpened] = useState<Lane | null>(null);
  const lanes = narrowed(policy.lanes, words);
  return (
    <div className="stack">
      <Filters>
        <Field label="Find" hint="A lane, a role or a tool.">
          {(wiring) => (
            <input
              {...wiring}
              type="search"
              value={words}
              onChange={({ target }) => setWords(target.value)}
            />
          )}
        </Field>
      </Filters>
      <Card flush>
        <section className={css.scroll} aria-label="Lanes and roles" tabIndex={0}>
          <table className={css.matrix}>
            <thead>
              <tr>
                <th scope="col">Lane</th>
                {policy.roles.map(({ id, class: kind, description }) => (
                  <th key={id} scope="col" title={description} className={css.role}>
                    <span>{id.replaceAll("_", " ").toLowerCase()}</span>
                    <Badge tone={kind === "human" ? "accent" : "neutral"}>{kind}</Badge>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {lanes.map((lane) => (
                <tr key={lane.id}>
                  <th scope="row">
                    <button type="button" className={css.lane} onClick={() => setOpened(lane)}>
                      {lane.id}
                    </button>
                    <p className="muted small">{lane.purpose}</p>
                  </th>
                  {policy.roles.map(({ id }) => {
                    const isIn = lane.roles.includes(id);
                    return (
                      <td key={id} className={cx(css.cell, isIn && css.in)}>
                        {isIn ? (
                          <Check aria-label="let in" role="img" />
                        ) : (
                          <span className="visually-hidden">not</span>
                        )}
                      </td>
                    );
                  })}
                </tr>
              ))}
            </tbody>
          </table>
          {lanes.length === 0 && <p className={css.none}>No lane has this. Take a letter away.</p>}
        </section>
      </Card>
      {opened && (
        <Dialog open wide onOpenChange={() => setOpened(null)} title={opened.id} lead={opened.purpose}>
          <Facts
            facts={[
              ["Roles", list(opened.roles)],
              ["Tools", list(opened.tools)],
              ["Writes to", list(opened.writes)],
              ["A call must say", list(opened.requires)],
              ["Must not happen", list(opened.prohibits)],
              [
                "Time to decide",
                opened.approvalSeconds ? duration(opened.approvalSeconds * 1_000) : "the usual five minutes",
              ],
              ["At most, if the organization chooses", duration(opened.approvalSecondsMax * 1_000)],
              ["On record", "every call, in full"],
            ]}
          />
        </Dialog>
      )}
    </div>
  );
}
