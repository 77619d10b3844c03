import { escapeLine } from "@/lib/visible";
import type { Conversation } from "@/live/conversation";
import css from "./Header.module.css";

const FACES_MAX = 4;

/** Who else looks at this session now. */
export function Presence({ conversation }: { conversation: Conversation }) {
  const { clients, config } = conversation;
  const others = clients.filter(({ connectionId }) => connectionId !== config?.connectionId);
  if (others.length === 0) return null;
  const words = `${others.length} other${others.length === 1 ? "" : "s"} watching`;
  return (
    <ul className={css.faces} title={words} aria-label={words}>
      {others.slice(0, FACES_MAX).map(({ connectionId, userId }) => (
        <li key={connectionId} className={css.face}>
          {escapeLine((userId ?? "?").slice(0, 1).toUpperCase())}
        </li>
      ))}
      {others.length > FACES_MAX && <li className={css.face}>+{others.length - FACES_MAX}</li>}
    </ul>
  );
}
