import type { MessageSource } from "@/api/live";
import { escapeProse } from "@/lib/visible";
import type { Entry } from "@/live/entry";
import { RelativeTime } from "@/ui/RelativeTime";
import css from "./Transcript.module.css";

/** A message of this page comes over the API, like those of other programs. */
const FROM_ELSEWHERE: MessageSource[] = ["slack", "automation", "cli"];

export function UserMessage({ entry }: { entry: Extract<Entry, { kind: "user" }> }) {
  return (
    <div className={css.user}>
      {entry.images.map((image) => (
        <img key={image.slice(-40)} className={css.picture} src={image} alt="With the message" />
      ))}
      {entry.text && <div className={css.bubble}>{escapeProse(entry.text)}</div>}
      <p className={css.meta}>
        {entry.source && FROM_ELSEWHERE.includes(entry.source) ? `by ${entry.source} · ` : ""}
        <RelativeTime at={entry.at} />
      </p>
    </div>
  );
}
