// What this device keeps of a log: the key it is signed with, and how far it was. From then on a gateway cannot
// show a shorter or another log unnoticed.
export type Kept = { key: string; checkpoint: string; keptAt: string };

const nameOf = (organizationId: string) => `proliferate.audit.${organizationId}`;

export function kept(organizationId: string | undefined): Kept | null {
  if (!organizationId) return null;
  try {
    const value = JSON.parse(localStorage.getItem(nameOf(organizationId)) ?? "null") as Kept | null;
    return value && typeof value.key === "string" && typeof value.checkpoint === "string" ? value : null;
  } catch {
    return null;
  }
}

export function keep(organizationId: string, value: Omit<Kept, "keptAt">): void {
  localStorage.setItem(
    nameOf(organizationId),
    JSON.stringify({ ...value, keptAt: new Date().toISOString() }),
  );
}

export const forget = (organizationId: string): void => localStorage.removeItem(nameOf(organizationId));

/** The size that a signed note speaks of; nothing is proven by it. */
export const sizeOf = (note: string): number => Number(note.split("\n")[1] ?? Number.NaN);
