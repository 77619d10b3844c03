// A grant as it is filled in, and as the API takes it.
import { z } from "zod";
import type { Schemas } from "@/api/client";

const whole = /^\d+$/;
export const shape = z
  .object({
    integration: z.string().trim().min(1, "Which service?"),
    action: z.string().trim().min(1, "Which action? `*` is every one."),
    scope: z.enum(["org", "session"]),
    sessionId: z.string().trim(),
    maxCalls: z.string().trim(),
    days: z.string().trim(),
    conditions: z.array(
      z.object({
        pointer: z.string().trim().startsWith("/", "A JSON Pointer begins with `/`."),
        kind: z.enum(["equals", "oneOf", "prefix"]),
        value: z.string().min(1, "What must stand there?"),
      }),
    ),
  })
  .refine(({ maxCalls }) => !maxCalls || (whole.test(maxCalls) && Number(maxCalls) > 0), {
    path: ["maxCalls"],
    message: "A whole number of at least 1, or nothing.",
  })
  .refine(({ days }) => !days || (whole.test(days) && Number(days) > 0), {
    path: ["days"],
    message: "A whole number of days, or nothing.",
  })
  .refine(({ scope, sessionId }) => scope === "org" || sessionId, {
    path: ["sessionId"],
    message: "Which session?",
  });

export type Draft = z.infer<typeof shape>;

/** What was typed is JSON if it reads as such, and a text otherwise. */
function read(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function predicate({ pointer, kind, value }: Draft["conditions"][number]): Schemas["Predicate"] {
  if (kind === "prefix") return { pointer, prefix: value };
  if (kind === "equals") return { pointer, equals: read(value) } as Schemas["Predicate"];
  return { pointer, oneOf: value.split(",").map((each) => read(each.trim())) } as Schemas["Predicate"];
}

export function request(draft: Draft, now: number): Schemas["CreateGrantRequest"] {
  const { integration, action, scope, sessionId, maxCalls, days, conditions } = draft;
  return {
    integration,
    action,
    scope,
    sessionId: scope === "session" ? sessionId : null,
    maxCalls: maxCalls ? Number(maxCalls) : null,
    expiresAt: days ? new Date(now + Number(days) * 86_400_000).toISOString() : null,
    predicates: conditions.map(predicate),
  };
}
