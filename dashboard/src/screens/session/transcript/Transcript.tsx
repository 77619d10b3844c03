import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown } from "lucide-react";
import { memo, useCallback, useLayoutEffect, useRef, useState } from "react";
import type { Conversation } from "@/live/conversation";
import type { Entry } from "@/live/entry";
import { Button } from "@/ui/Button";
import { Empty } from "@/ui/Empty";
import { Loading } from "@/ui/Loading";
import type { Session } from "../queries";
import { AgentText } from "./AgentText";
import { Note } from "./Note";
import { ToolCard } from "./ToolCard";
import css from "./Transcript.module.css";
import { UserMessage } from "./UserMessage";

/** This near to the end counts as looking at it. */
const END_PX = 60;
const guess = () => 64;

type Props = { conversation: Conversation; version: number; session: Session | undefined };

/** The conversation, once it is there. */
export function Transcript(props: Props) {
  if (props.conversation.hasBegun) return <Entries {...props} />;
  return (
    <div className={css.area}>
      <div className={css.frame} role="log" aria-label="Transcript">
        <Loading what="Fetching the conversation" />
      </div>
    </div>
  );
}

/** Only what is in sight is drawn; the end stays in sight for who looks at it. */
function Entries({ conversation, version, session }: Props) {
  const { entries } = conversation;
  const frame = useRef<HTMLDivElement>(null);
  const [follows, setFollows] = useState(true);
  const lastTop = useRef(0);
  // Another function would have the places of all rows computed again.
  const keyOf = useCallback((at: number) => entries[at]?.id ?? at, [entries]);
  const virtual = useVirtualizer({
    count: entries.length,
    getScrollElement: () => frame.current,
    estimateSize: guess,
    getItemKey: keyOf,
    overscan: 6,
    // Begins where it ends: the first messages are not drawn.
    initialOffset: () => entries.length * guess(),
  });
  const height = virtual.getTotalSize();
  // biome-ignore lint/correctness/useExhaustiveDependencies: new frames and measured rows move the end
  useLayoutEffect(() => {
    const list = frame.current;
    if (list && follows) list.scrollTop = list.scrollHeight;
  }, [follows, version, height]);
  const scrolled = () => {
    const list = frame.current;
    if (!list) return;
    const isAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < END_PX;
    // Only scrolling moves up; new content pushes down.
    if (isAtEnd) setFollows(true);
    else if (list.scrollTop < lastTop.current) setFollows(false);
    lastTop.current = list.scrollTop;
  };
  return (
    <div className={css.area}>
      <div
        ref={frame}
        className={css.frame}
        onScroll={scrolled}
        tabIndex={0}
        role="log"
        aria-label="Transcript"
      >
        {entries.length === 0 && (
          <Empty
            title={session?.initialPrompt ? "The first prompt is on its way." : "Nothing has been said yet."}
          >
            Say below what the agent should do. Its sandbox is made when it is needed.
          </Empty>
        )}
        <div className={css.rows} style={{ height }}>
          {virtual.getVirtualItems().map(({ key, index, start }) => {
            const entry = entries[index];
            return (
              <div
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                className={css.row}
                style={{ transform: `translateY(${start}px)` }}
              >
                {entry && <Row entry={entry} />}
              </div>
            );
          })}
        </div>
      </div>
      {!follows && (
        <Button size="s" className={css.jump} onClick={() => setFollows(true)}>
          <ArrowDown aria-hidden /> To the end
        </Button>
      )}
    </div>
  );
}

const Row = memo(function Row({ entry }: { entry: Entry }) {
  switch (entry.kind) {
    case "user":
      return <UserMessage entry={entry} />;
    case "text":
    case "thinking":
      return <AgentText entry={entry} />;
    case "tool":
      return <ToolCard entry={entry} />;
    case "note":
      return <Note entry={entry} />;
  }
});
