import { ArrowUp, Square } from "lucide-react";
import { type KeyboardEvent, useRef, useState } from "react";
import { api, newKey } from "@/api/client";
import type { Live } from "@/live/useLive";
import { Button } from "@/ui/Button";
import { Failure } from "@/ui/Failure";
import css from "./PromptBox.module.css";
import type { Session } from "./queries";

const HINTS: Record<string, string> = {
  creating: "The sandbox is being made; what you say now waits for it.",
  resuming: "The sandbox is waking up; what you say now waits for it.",
  paused: "The session is asleep; saying something wakes it.",
};

/** The prompt of a user to the agent. */
export function PromptBox({ id, live, session }: { id: string; live: Live; session: Session | undefined }) {
  const { status, isIdle } = live.conversation;
  const [text, setText] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  // The same words again after a failure are the same prompt: it is done once.
  const key = useRef(newKey());
  const isOver = status === "stopped" || session?.status === "stopped";
  const send = async () => {
    if (!text.trim() || busy) return;
    setBusy(true);
    setError(null);
    try {
      const headers = { "Idempotency-Key": key.current };
      await api.POST("/proliferate/{id}/message", {
        params: { path: { id } },
        body: { content: text },
        headers,
      });
      setText("");
      key.current = newKey();
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  };
  const cancel = async () => {
    setError(null);
    await api.POST("/proliferate/{id}/cancel", { params: { path: { id } } }).catch(setError);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void send();
  };
  if (isOver) return <p className={css.over}>This session has ended. Its conversation and record stay.</p>;
  const isWorking = status === "running" && !isIdle;
  return (
    <div className={css.area}>
      {error !== null && <Failure error={error} />}
      {status && HINTS[status] && <p className={css.hint}>{HINTS[status]}</p>}
      <div className={css.box}>
        <textarea
          className={css.text}
          aria-label="Message to the agent"
          placeholder="Say something to the agent"
          rows={1}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            key.current = newKey();
          }}
          onKeyDown={press}
        />
        {isWorking && (
          <Button kind="quiet" size="s" onClick={cancel} aria-label="Stop what the agent does">
            <Square aria-hidden /> Stop
          </Button>
        )}
        <Button
          kind="primary"
          size="s"
          aria-label="Send"
          busy={busy}
          disabled={!text.trim()}
          onClick={() => void send()}
        >
          <ArrowUp aria-hidden />
        </Button>
      </div>
    </div>
  );
}
