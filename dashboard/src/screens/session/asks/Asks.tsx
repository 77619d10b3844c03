import { useMoving } from "@/lib/useMoving";
import type { Conversation } from "@/live/conversation";
import { ApprovalAsk } from "./ApprovalAsk";
import css from "./Asks.module.css";
import { EnvAsk } from "./EnvAsk";

/** What the agent waits for, above the place where users answer. */
export function Asks({ sessionId, conversation }: { sessionId: string; conversation: Conversation }) {
  const { approvals, envRequests } = conversation;
  const moving = useMoving([...envRequests.keys(), ...approvals.keys()].join(" "));
  if (approvals.size + envRequests.size === 0) return null;
  return (
    <section className={css.asks} aria-label="Waits for you" aria-live="polite" tabIndex={0}>
      {[...envRequests.values()].map((request) => (
        <EnvAsk key={request.toolCallId} sessionId={sessionId} request={request} />
      ))}
      {[...approvals.values()].map((request) => (
        <ApprovalAsk key={request.invocationId} sessionId={sessionId} request={request} moving={moving} />
      ))}
    </section>
  );
}
