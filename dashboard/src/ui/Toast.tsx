import { Toast as Radix } from "radix-ui";
import { useSyncExternalStore } from "react";
import { Problem } from "@/api/problem";
import { escapeLine } from "@/lib/visible";
import css from "./Toast.module.css";

type Message = { id: number; words: string; more?: string; tone: "good" | "bad" };
const AT_ONCE_MAX = 4;
let messages: Message[] = [];
let next = 1;
const listeners = new Set<() => void>();

function set(changed: Message[]) {
  messages = changed;
  for (const listener of listeners) listener();
}
function push(message: Omit<Message, "id">) {
  set([...messages, { ...message, id: next++ }].slice(-AT_ONCE_MAX));
}
function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Says in passing that something was done, or was not. */
export const toast = {
  done: (words: string, more?: string) => push({ words, more, tone: "good" }),
  failed: (error: unknown) => {
    const problem = Problem.from(error);
    push({ words: problem.message, more: problem.hint, tone: "bad" });
  },
};

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => messages);
  return (
    <Radix.Provider swipeDirection="right" duration={6_000}>
      {shown.map(({ id, words, more, tone }) => (
        <Radix.Root
          key={id}
          className={css.toast}
          data-tone={tone}
          onOpenChange={(open) => !open && set(messages.filter((each) => each.id !== id))}
        >
          <Radix.Title className={css.title}>{escapeLine(words)}</Radix.Title>
          {more && <Radix.Description className={css.more}>{escapeLine(more)}</Radix.Description>}
        </Radix.Root>
      ))}
      <Radix.Viewport className={css.viewport} />
    </Radix.Provider>
  );
}
