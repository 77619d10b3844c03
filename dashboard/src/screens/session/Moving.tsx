import { plural } from "@/lib/plural";
import type { Conversation } from "@/live/conversation";
import { Note } from "@/ui/Note";
import css from "./session.module.css";

const WHY = {
  expiry: "Its sandbox ends soon, so everything in it is taken to a fresh one.",
  asked: "Everything in its sandbox is moved to a fresh one, as a user requested.",
};

/** Said while a session moves: nothing is lost by speaking now. */
export function Moving({ moving }: Pick<Conversation, "moving">) {
  if (!moving) return null;
  return (
    <div className={css.moving}>
      <Note title="The session is moving to another sandbox.">
        <p className="small">
          {WHY[moving.reason]} What you say now is kept and delivered after
          {moving.queued > 0 ? `: ${plural(moving.queued, "prompt")} waiting.` : "."}
        </p>
      </Note>
    </div>
  );
}
