import type { Schemas } from "@/api/client";

type Role = Schemas["Role"];
export const ROLES: Role[] = ["member", "admin", "owner"];

export const ONE: Record<Role, string> = { member: "a member", admin: "an admin", owner: "an owner" };

/** The effect of a role, from the member's next request on. */
export const EFFECTS: Record<Role, string> = {
  member:
    "They can work in sessions, and cannot decide about calls, make grants, or change connections. It counts from their next request on.",
  admin:
    "They can decide about calls, make grants, connect services, and see the whole log. It counts from their next request on.",
  owner: "They can do everything, and make others owners. It counts from their next request on.",
};

/** Why `mine` may not change a member of the role `theirs`; `null` if it may. */
export function mayChange(mine: Role | undefined, theirs: Role): string | null {
  if (mine === "owner") return null;
  if (mine !== "admin") return "Only admins and owners may change this.";
  return theirs === "owner" ? "Owners are changed by owners." : null;
}
