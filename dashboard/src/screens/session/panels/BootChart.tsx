import type { BootStage, BootStep } from "@/api/live";
import { duration } from "@/lib/time";
import { escapeLine } from "@/lib/visible";
import css from "./panels.module.css";

const WORDS: Record<BootStage, string> = {
  created: "Created",
  settle: "Settle",
  quiesce: "Quiesce",
  snapshot: "Snapshot",
  sandbox: "Sandbox",
  repo: "Repos",
  files: "Files",
  agent: "Agent",
  stream: "Stream",
  ready: "Ready",
};

/** The steps of the last boot on one axis of time. */
export function BootChart({ steps }: { steps: BootStep[] }) {
  if (steps.length === 0)
    return <p className="muted small">It has not come up yet; the first prompt makes one.</p>;
  const begin = Math.min(...steps.map(({ startedAt }) => startedAt));
  const end = Math.max(...steps.map(({ startedAt, durationMs }) => startedAt + (durationMs ?? 0)), begin + 1);
  const share = (ms: number) => `${Math.min(100, Math.max(0, (ms / (end - begin)) * 100))}%`;
  return (
    <ol className={css.bars} aria-label="Steps of the boot">
      {steps.map(({ stage, startedAt, durationMs, error }) => {
        const state = error ? "failed" : durationMs === undefined ? "running" : "done";
        const words = error ? "failed" : durationMs === undefined ? "under way" : duration(durationMs);
        return (
          <li key={`${stage}${startedAt}`} className={css.bar} title={error && escapeLine(error)}>
            <span>{WORDS[stage]}</span>
            <span className={css.track} aria-hidden="true">
              <span
                className={css.fill}
                data-state={state}
                style={{
                  left: `min(${share(startedAt - begin)}, calc(100% - 3px))`,
                  width: share(durationMs ?? 0),
                }}
              />
            </span>
            <span className={css.took}>{words}</span>
          </li>
        );
      })}
    </ol>
  );
}
