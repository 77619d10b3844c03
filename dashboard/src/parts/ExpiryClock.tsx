import { Clock } from "lucide-react";
import { cx } from "@/lib/cx";
import { countdown, useNow } from "@/lib/time";
import css from "./ExpiryClock.module.css";

/** From here on it is urgent. */
const SOON_MS = 60_000;

/** How long something can still be decided. */
export function ExpiryClock({ until }: { until: string }) {
  const left = new Date(until).getTime() - useNow(1_000);
  const words = left <= 0 ? "time is over" : `${countdown(left)} left`;
  return (
    <span
      className={cx(css.clock, left < SOON_MS && css.soon)}
      title={new Date(until).toString()}
      role="timer"
    >
      <Clock aria-hidden /> {words}
    </span>
  );
}
