import { Link } from "react-router";
import { plural } from "@/lib/plural";
import { Banner } from "@/ui/Banner";
import { useLock } from "./lock";

/** Said where calls are watched or decided, for as long as they are stopped. */
export function LockBanner() {
  const { data } = useLock();
  if (!data?.engaged) return null;
  // No ticket lifts anything out of an operator's lock.
  const passing = data.installation ? 0 : data.lifted.length;
  return (
    <Banner>
      {data.installation ? "An operator has locked the whole installation" : "The safety lock is on"}: every
      call is denied, also one that is approved now
      {passing > 0 && `, but for those in ${plural(passing, "lane")}`}.{" "}
      <Link to="/policy?tab=lock">See the lock</Link>
    </Banner>
  );
}
