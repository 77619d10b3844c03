import { zodResolver } from "@hookform/resolvers/zod";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { z } from "zod";
import { api, body } from "@/api/client";
import { bytes } from "@/lib/bytes";
import { count, dollarsTyped, microUsd, money, typed } from "@/lib/money";
import { duration } from "@/lib/time";
import { LIMITS_KEY, type Limits as LimitsView, useLimits } from "@/parts/limits";
import { LookOnly, useMay } from "@/parts/may";
import { Answer } from "@/ui/Answer";
import { Button } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { Field } from "@/ui/Field";
import { Form } from "@/ui/Form";
import { Meter } from "@/ui/Meter";
import { RelativeTime } from "@/ui/RelativeTime";
import { toast } from "@/ui/Toast";
import css from "./settings.module.css";

const GB = 1_000_000_000;
const whole = z
  .string()
  .trim()
  .regex(/^\d{0,6}$/, "A whole number, or nothing.");
const shape = z.object({
  liveSessions: whole,
  sandboxes: whole,
  storageGb: z
    .string()
    .trim()
    .regex(/^(\d{1,6}(\.\d{1,3})?)?$/, "A number of gigabytes, or nothing."),
  spendDay: dollarsTyped,
  spendMonth: dollarsTyped,
  approvalMinutes: z
    .string()
    .trim()
    .regex(/^\d{0,4}$/, "A whole number of minutes, or nothing."),
});
type Values = z.infer<typeof shape>;
type Settings = LimitsView["inForce"];

/** A limit as it is shown and typed. */
type Row = {
  field: keyof Values;
  name: string;
  unit: string;
  of: (settings: Settings) => number | null;
  used?: (view: LimitsView) => number;
  amount: (value: number) => string;
};

const ROWS: Row[] = [
  {
    field: "liveSessions",
    name: "Live sessions",
    unit: "at once",
    of: ({ liveSessions }) => liveSessions,
    used: ({ used }) => used.liveSessions,
    amount: count,
  },
  {
    field: "sandboxes",
    name: "Sandboxes",
    unit: "at once",
    of: ({ sandboxes }) => sandboxes,
    used: ({ used }) => used.sandboxes,
    amount: count,
  },
  {
    field: "storageGb",
    name: "Storage",
    unit: "GB",
    of: ({ storageBytes }) => storageBytes,
    used: ({ used }) => used.storageBytes,
    amount: bytes,
  },
  {
    field: "spendDay",
    name: "Models in a day",
    unit: "dollars, UTC",
    of: ({ spendDayMicroUsd }) => spendDayMicroUsd,
    used: ({ used }) => used.spendDayMicroUsd,
    amount: money,
  },
  {
    field: "spendMonth",
    name: "Models in a month",
    unit: "dollars, UTC",
    of: ({ spendMonthMicroUsd }) => spendMonthMicroUsd,
    used: ({ used }) => used.spendMonthMicroUsd,
    amount: money,
  },
  {
    field: "approvalMinutes",
    name: "Time to approve",
    unit: "minutes",
    of: ({ approvalSeconds }) => approvalSeconds,
    amount: (seconds) => duration(seconds * 1_000),
  },
];

const shown = (value: number | null) => (value == null ? "" : String(value));
const number = (text: string) => (text ? Number(text) : null);

function values({ organization }: LimitsView): Values {
  return {
    liveSessions: shown(organization.liveSessions),
    sandboxes: shown(organization.sandboxes),
    storageGb: organization.storageBytes == null ? "" : String(organization.storageBytes / GB),
    spendDay: typed(organization.spendDayMicroUsd),
    spendMonth: typed(organization.spendMonthMicroUsd),
    approvalMinutes: organization.approvalSeconds == null ? "" : String(organization.approvalSeconds / 60),
  };
}

function request(of: Values): Settings {
  return {
    liveSessions: number(of.liveSessions),
    sandboxes: number(of.sandboxes),
    storageBytes: of.storageGb ? Math.round(Number(of.storageGb) * GB) : null,
    spendDayMicroUsd: microUsd(of.spendDay),
    spendMonthMicroUsd: microUsd(of.spendMonth),
    approvalSeconds: of.approvalMinutes ? Number(of.approvalMinutes) * 60 : null,
  };
}

/** What the organization may use, what it uses, and the limits that its admins choose. */
export function Limits() {
  const limits = useLimits();
  return (
    <div className="stack">
      <LookOnly what="Choosing limits" />
      <Answer of={limits} what="Looking for the limits">
        {(found) => (
          <>
            <Card title="In use">
              <Use of={found} />
            </Card>
            <Card title="Limits of the organization">
              <Choose key={JSON.stringify(found.organization)} of={found} />
            </Card>
          </>
        )}
      </Answer>
    </div>
  );
}

function Use({ of }: { of: LimitsView }) {
  return (
    <>
      <Amounts of={of} />
      {of.used.storageCountedAt && (
        <p className="muted small">
          Results of calls were added to the storage <RelativeTime at={of.used.storageCountedAt} />.
        </p>
      )}
    </>
  );
}

function Amounts({ of }: { of: LimitsView }) {
  return (
    <dl className={css.limits}>
      {ROWS.map((row) => {
        const inForce = row.of(of.inForce);
        const used = row.used?.(of);
        return (
          <div key={row.field} className={css.limit}>
            <dt>{row.name}</dt>
            <dd>
              {used === undefined ? (
                <span className="muted">
                  {inForce == null ? "as long as the lane says" : row.amount(inForce)}
                </span>
              ) : inForce == null ? (
                <span>
                  {row.amount(used)} <span className="muted small">no limit</span>
                </span>
              ) : (
                <Meter used={used} max={inForce} label={`${row.amount(used)} of ${row.amount(inForce)}`} />
              )}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

function Choose({ of }: { of: LimitsView }) {
  const { guard } = useMay();
  const client = useQueryClient();
  const { register, handleSubmit, formState } = useForm<Values>({
    resolver: zodResolver(shape),
    defaultValues: values(of),
  });
  const change = useMutation({
    mutationFn: (chosen: Values) => body(api.PUT("/v1/organization/limits", { body: request(chosen) })),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: LIMITS_KEY });
      toast.done("The limits are set.", "What runs goes on; what begins from now on counts.");
    },
  });
  return (
    <div className={css.budget}>
      <Form
        error={change.error}
        onSubmit={handleSubmit((chosen) => change.mutate(chosen))}
        foot={
          <Button {...guard} kind="primary" type="submit" busy={change.isPending}>
            Set the limits
          </Button>
        }
      >
        {ROWS.map((row) => (
          <Field
            key={row.field}
            label={
              <>
                {row.name} <span className="muted small">{row.unit}</span>
              </>
            }
            hint={hint(row, of)}
            error={formState.errors[row.field]?.message}
          >
            {(wiring) => (
              <input
                {...wiring}
                {...register(row.field)}
                inputMode="decimal"
                placeholder="no limit"
                disabled={guard.disabled}
              />
            )}
          </Field>
        ))}
      </Form>
    </div>
  );
}

function hint(row: Row, { operator }: LimitsView): string {
  const ceiling = row.of(operator);
  if (ceiling != null) return `The operator allows at most ${row.amount(ceiling)}.`;
  return row.field === "approvalMinutes"
    ? "How long a call waits for an admin, at most as long as its lane allows. Empty: five minutes."
    : "Empty: no limit.";
}
