import { useEffect, useRef } from "react";

/** A second key counts for this long after the first. */
const CHORD_MS = 1_200;
const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName));

type Choice = { to: string; keys?: string };

/** `Ctrl K` for the palette, `c` for a new session, `g` and a letter for a place; never while the user types. */
export function useShortcuts(choices: Choice[], go: (to: string) => unknown, palette: () => void): void {
  const held = useRef({ key: "", at: 0 });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        return palette();
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (document.querySelector("[role=dialog]")) return;
      const before = Date.now() - held.current.at < CHORD_MS ? held.current.key : "";
      const keys = before ? `${before} ${event.key}` : event.key;
      const choice = choices.find((each) => each.keys === keys);
      held.current = { key: choice ? "" : event.key, at: Date.now() };
      if (choice) {
        event.preventDefault();
        go(choice.to);
      }
    };
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  });
}
