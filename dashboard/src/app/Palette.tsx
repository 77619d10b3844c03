import { type KeyboardEvent, useEffect, useId, useState } from "react";
import { useNavigate } from "react-router";
import { useMe } from "@/api/me";
import { Dialog } from "@/ui/Dialog";
import css from "./Palette.module.css";
import { onPalette } from "./palette";
import { allPlaces, placesFor } from "./places";
import { useShortcuts } from "./useShortcuts";

const choicesFor = (operates: boolean) => [
  { to: "/sessions/new", name: "New session", keys: "c" },
  ...allPlaces(placesFor(operates)).map(({ to, name, keys }) => ({ to, name, keys })),
  { to: "/policy?tab=lock", name: "Safety lock", keys: undefined },
];

/** Every place by a few letters: Ctrl K. */
export function Palette() {
  const [open, setOpen] = useState(false);
  const [words, setWords] = useState("");
  const [at, setAt] = useState(0);
  const navigate = useNavigate();
  const choices = choicesFor(useMe().operates);
  const list = useId();
  const show = () => {
    setWords("");
    setAt(0);
    setOpen(true);
  };
  useEffect(() => onPalette(show));
  useShortcuts(choices, navigate, show);
  const found = choices.filter(({ name }) => name.toLowerCase().includes(words.trim().toLowerCase()));
  const go = (to: string) => {
    setOpen(false);
    void navigate(to);
  };
  const press = (event: KeyboardEvent) => {
    const chosen = found[at];
    if (event.key === "ArrowDown") setAt(Math.min(at + 1, found.length - 1));
    else if (event.key === "ArrowUp") setAt(Math.max(at - 1, 0));
    else if (event.key === "Enter" && chosen) go(chosen.to);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog open={open} onOpenChange={setOpen} title="Go to">
      <input
        className={css.input}
        role="combobox"
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={found[at] ? `${list}-${at}` : undefined}
        aria-label="Where to"
        placeholder="A few letters of where you want to go"
        value={words}
        onChange={(event) => {
          setWords(event.target.value);
          setAt(0);
        }}
        onKeyDown={press}
      />
      <div id={list} role="listbox" aria-label="Places" className={css.list}>
        {found.map(({ to, name, keys: shortcut }, index) => (
          <div
            key={to}
            id={`${list}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            className={css.choice}
            onMouseMove={() => setAt(index)}
            onClick={() => go(to)}
            onKeyDown={(event) => event.key === "Enter" && go(to)}
          >
            {name} <kbd>{shortcut}</kbd>
          </div>
        ))}
      </div>
      {found.length === 0 && <p className="muted">No place has these letters.</p>}
    </Dialog>
  );
}
