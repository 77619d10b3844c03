import type { Entry } from "@/live/entry";
import { RelativeTime } from "@/ui/RelativeTime";
import css from "./Transcript.module.css";

export function UserMessage({ entry }: { entry: Extract<Entry, { kind: "user" }> }) {
  return (
    <div className={css.user}>
      {entry.images.map((image) => (
        <img key={image.slice(-40)} className={css.picture} src={image} alt="With the message" />
      ))}
      {entry.text && <div className={css.bubble}>{entry.text}</div>}
      <p className={css.meta}>
        {entry.source && entry.source !== "web" ? `by ${entry.source} · ` : ""}
        <RelativeTime at={entry.at} />
      </p>
    </div>
  );
}
