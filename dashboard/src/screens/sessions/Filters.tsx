import { Search } from "lucide-react";
import type { Schemas } from "@/api/client";
import css from "./sessions.module.css";

type Status = Schemas["SessionStatus"] | "";
const STATES: [Status, string][] = [
  ["", "Every state"],
  ["running", "Running"],
  ["paused", "Asleep"],
  ["starting", "Starting"],
  ["pending", "Not started"],
  ["stopped", "Ended"],
  ["failed", "Failed"],
];

type Props = {
  status: Status;
  onStatus: (status: Status) => void;
  words: string;
  onWords: (words: string) => void;
};

export function Filters({ status, onStatus, words, onWords }: Props) {
  return (
    <div className={css.filters}>
      <label className={css.search}>
        <Search aria-hidden />
        <span className="visually-hidden">Search</span>
        <input
          type="search"
          placeholder="Search titles"
          value={words}
          onChange={(event) => onWords(event.target.value)}
        />
      </label>
      <select
        aria-label="State"
        className={css.select}
        value={status}
        onChange={(event) => onStatus(event.target.value as Status)}
      >
        {STATES.map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}
