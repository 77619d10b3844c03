// Which members see a session, in words.
import { Lock, Users } from "lucide-react";
import type { Schemas } from "@/api/client";
import { Badge } from "@/ui/Badge";

export type Visibility = Schemas["Visibility"];

export const VISIBILITIES: { value: Visibility; label: string; effect: string }[] = [
  {
    value: "organization",
    label: "The organization",
    effect: "Every member sees it. Members you name may steer it too.",
  },
  { value: "people", label: "Members by name", effect: "You, admins, and the members you name see it." },
  { value: "private", label: "Private", effect: "You and admins see it." },
];

/** Says that not every member sees the session; nothing for one that all see. */
export function VisibilityBadge({ of }: { of: Visibility | undefined }) {
  if (of === "private")
    return (
      <Badge>
        <Lock aria-hidden size={12} /> Private
      </Badge>
    );
  if (of === "people")
    return (
      <Badge>
        <Users aria-hidden size={12} /> By name
      </Badge>
    );
  return null;
}
