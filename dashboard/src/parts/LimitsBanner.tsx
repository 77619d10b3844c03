import { Link } from "react-router";
import { money } from "@/lib/money";
import { Banner } from "@/ui/Banner";
import { spendToSay, useLimits } from "./limits";

/** Says on every screen that what the organization may spend on models comes near its end, or is spent. */
export function LimitsBanner() {
  const { data } = useLimits();
  const spend = data && spendToSay(data);
  if (!spend) return null;
  const { period, isReached } = spend;
  const amounts = `${money(spend.spent)} of ${money(spend.limit)}`;
  const when = period === "day" ? "today" : "this month";
  return (
    <Banner>
      {isReached
        ? `The organization has spent ${amounts} on models ${when}: its sessions rest until the next ${period} begins (UTC), or an admin raises the limit.`
        : `The organization has spent ${amounts} on models ${when}.`}{" "}
      <Link to="/settings?tab=limits">See the limits</Link>
    </Banner>
  );
}
