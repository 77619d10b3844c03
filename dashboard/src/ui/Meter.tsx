import { Progress } from "radix-ui";
import css from "./Meter.module.css";

/** How much of a limit is used, as a bar and in words. */
export function Meter({ used, max, label }: { used: number; max: number; label: string }) {
  const share = max > 0 ? Math.min(1, used / max) : 1;
  const tone = share >= 1 ? "bad" : share >= 0.8 ? "warn" : "good";
  return (
    <div className={css.meter}>
      <Progress.Root
        className={css.track}
        value={share * 100}
        max={100}
        aria-label={label}
        getValueLabel={() => label}
      >
        <Progress.Indicator className={css.fill} data-tone={tone} style={{ width: `${share * 100}%` }} />
      </Progress.Root>
      <span className={css.words}>{label}</span>
    </div>
  );
}
