import type { Schemas } from "@/api/client";
import type { Tone } from "@/ui/Badge";

type Hubs = Schemas["HubCounts"];

type Drain = Schemas["DrainView"];
export type Instance = Schemas["InstanceView"];

/** In words, what became of its sessions. */
export function drained({ handedOver, putAway, left }: Drain): string {
  const parts = [
    left > 0 ? `${left} still here` : "empty: it can be stopped",
    handedOver > 0 && `${handedOver} handed off`,
    putAway > 0 && `${putAway} evicted`,
  ];
  return parts.filter(Boolean).join(", ");
}

/** The phases that an instance's sessions are in; those that none is in are left out. */
export function phases(hubs: Hubs): { name: string; number: number; tone: Tone }[] {
  const all = [
    { name: "running", number: hubs.running, tone: "good" as const },
    { name: "coming up", number: hubs.booting, tone: "info" as const },
    { name: "without an agent", number: hubs.cold, tone: "neutral" as const },
    { name: "on their way out", number: hubs.leaving, tone: "warn" as const },
    { name: "unconfirmed", number: hubs.unconfirmed, tone: "bad" as const },
  ];
  return all.filter(({ number }) => number > 0);
}

export function summary(instances: Instance[]) {
  const sum = (of: keyof Hubs) => instances.reduce((total, { hubs }) => total + hubs[of], 0);
  return {
    unconfirmed: sum("unconfirmed"),
    leaving: sum("leaving"),
    versions: [...new Set(instances.map(({ version }) => version))].sort(),
  };
}
