import { useEffect, useMemo, useSyncExternalStore } from "react";
import type { ClientMessage } from "@/api/live";
import type { Problem } from "@/api/problem";
import { Conversation } from "./conversation";
import { Link, type LinkState } from "./link";

/** A session that is watched. The page is notified at most once for each painted frame, however many frames of the protocol came. */
export class Live {
  readonly conversation = new Conversation();
  state: LinkState = "connecting";
  problem: Problem | undefined;
  version = 0;
  #link: Link | null = null;
  #listeners = new Set<() => void>();
  #due = false;

  open(id: string): () => void {
    this.#link = new Link(id, {
      frame: (frame) => {
        this.conversation.apply(frame);
        this.#changed();
      },
      state: (state, problem) => {
        this.state = state;
        this.problem = problem;
        this.#changed();
      },
      seen: () => this.conversation.seq,
    });
    return () => this.#link?.close();
  }

  send(message: ClientMessage): boolean {
    return this.#link?.send(message) ?? false;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #changed(): void {
    if (this.#due) return;
    this.#due = true;
    const tell = () => {
      this.#due = false;
      this.version += 1;
      for (const listener of this.#listeners) listener();
    };
    // A page in the background draws no pictures, and must still notice.
    if (document.hidden) setTimeout(tell, 100);
    else requestAnimationFrame(tell);
  }
}

export function useLive(id: string): Live {
  // A new one for each session.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the id is what makes it another
  const live = useMemo(() => new Live(), [id]);
  useEffect(() => live.open(id), [live, id]);
  useSyncExternalStore(live.subscribe, () => live.version);
  return live;
}
