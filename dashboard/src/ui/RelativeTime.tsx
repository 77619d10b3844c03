import { relative, useNow } from "@/lib/time";

const exact = new Intl.DateTimeFormat("en", { dateStyle: "full", timeStyle: "long" });

/** How long ago or ahead, with the exact time on hover. */
export function RelativeTime({ at }: { at: string | number }) {
  // Draws it again. What was told since the last time is not ahead.
  useNow(30_000);
  const moment = new Date(at);
  return (
    <time dateTime={moment.toISOString()} title={exact.format(moment)}>
      {relative(moment.getTime(), Date.now())}
    </time>
  );
}
