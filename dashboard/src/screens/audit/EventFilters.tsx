import { useSearchParams } from "react-router";
import { Button } from "@/ui/Button";
import { Field } from "@/ui/Field";
import { Filters as Bar } from "@/ui/Filters";
import { ACTION_TYPES, type Filters, OUTCOMES } from "./events";

const TEXTS = [
  ["sessionId", "Session"],
  ["caseId", "Case"],
  ["runId", "Run"],
  ["actorId", "Who"],
] as const;
const NAMES = ["caseId", "sessionId", "runId", "actorId", "actionType", "outcome", "from", "to"] as const;

/** What the address says the timeline is narrowed to, so that it can be shared. */
export function useFilters(): [Filters, (name: keyof Filters, value: string) => void, () => void] {
  const [search, setSearch] = useSearchParams();
  const filters: Record<string, string> = {};
  for (const name of NAMES) {
    const value = search.get(name);
    if (value) filters[name] = value;
  }
  const set = (name: keyof Filters, value: string) =>
    setSearch(
      (before) => {
        if (value) before.set(name, value);
        else before.delete(name);
        return before;
      },
      { replace: true },
    );
  return [filters as Filters, set, () => setSearch({}, { replace: true })];
}

/** A moment of the API as the browser's control wants it, in local time, and back. */
const toLocal = (at: string | undefined) => {
  if (!at) return "";
  const moment = new Date(at);
  return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};
const fromLocal = (at: string) => (at ? new Date(at).toISOString() : "");

export function EventFilters() {
  const [filters, set, clear] = useFilters();
  return (
    <Bar>
      {TEXTS.map(([name, label]) => (
        <Field key={name} label={label}>
          {(wiring) => (
            <input
              {...wiring}
              key={filters[name] ?? ""}
              defaultValue={filters[name] ?? ""}
              placeholder="any"
              spellCheck={false}
              onBlur={(each) => set(name, each.target.value.trim())}
              onKeyDown={(each) => each.key === "Enter" && set(name, each.currentTarget.value.trim())}
            />
          )}
        </Field>
      ))}
      <Field label="What">
        {(wiring) => (
          <select
            {...wiring}
            value={filters.actionType ?? ""}
            onChange={(each) => set("actionType", each.target.value)}
          >
            <option value="">any</option>
            {ACTION_TYPES.map((type) => (
              <option key={type}>{type}</option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Outcome">
        {(wiring) => (
          <select
            {...wiring}
            value={filters.outcome ?? ""}
            onChange={(each) => set("outcome", each.target.value)}
          >
            <option value="">any</option>
            {OUTCOMES.map((outcome) => (
              <option key={outcome}>{outcome}</option>
            ))}
          </select>
        )}
      </Field>
      {(["from", "to"] as const).map((name) => (
        <Field key={name} label={name === "from" ? "From" : "Until"}>
          {(wiring) => (
            <input
              {...wiring}
              type="datetime-local"
              value={toLocal(filters[name])}
              onChange={(each) => set(name, fromLocal(each.target.value))}
            />
          )}
        </Field>
      ))}
      {Object.keys(filters).length > 0 && (
        <div>
          <Button kind="quiet" onClick={clear}>
            Clear filters
          </Button>
        </div>
      )}
    </Bar>
  );
}
