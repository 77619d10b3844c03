import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { api, body, type Schemas } from "@/api/client";
import { escapeLine } from "@/lib/visible";
import type { Tone } from "@/ui/Badge";
import { Banner } from "@/ui/Banner";

export type OrganizationView = Schemas["OrganizationView"];

/** What each state is called, and why nothing starts in it. */
export const STATES: Record<OrganizationView["status"], { name: string; tone: Tone; effect?: string }> = {
  active: { name: "Active", tone: "good" },
  suspended: { name: "Suspended", tone: "warn", effect: "The organization is suspended: nothing starts." },
  deleting: {
    name: "Being deleted",
    tone: "bad",
    effect: "The organization is being deleted: nothing starts.",
  },
};

/** The organization of the user. Asked again now and then: an operator may suspend it at any time. */
export const useOrganization = () =>
  useQuery({
    queryKey: ["organization"],
    queryFn: () => body(api.GET("/v1/organization")),
    refetchInterval: 60_000,
  });

/** Said on each page for as long as nothing starts. */
export function OrganizationBanner() {
  const { data } = useOrganization();
  if (!data || data.status === "active") return null;
  if (data.status === "suspended")
    return (
      <Banner>
        The organization is suspended: {escapeLine(data.suspensionReason ?? "")}. Everything is kept and can
        be read; nothing starts until the operator of this installation resumes it.
      </Banner>
    );
  return (
    <Banner>
      The organization is being deleted: nothing starts. An owner can take that back until{" "}
      {new Date(data.deletionDueAt ?? "").toLocaleString()}.{" "}
      <Link to="/settings?tab=organization">See the deletion</Link>
    </Banner>
  );
}
