import { useState } from "react";
import { count } from "@/lib/money";
import { escapeLine, escapeText } from "@/lib/visible";
import { Button } from "@/ui/Button";
import { Facts } from "@/ui/Facts";
import { Meter } from "@/ui/Meter";
import { Note } from "@/ui/Note";
import { toast } from "@/ui/Toast";
import { keep } from "./kept";
import type { Standing } from "./useVerification";

const records = (number: number) => `${count(number)} ${number === 1 ? "record" : "records"}`;

/** Green with what was proved, red with the first thing that is wrong. */
export function Verdict({ standing }: { standing: Standing }) {
  if (standing.is === "running")
    return (
      <Meter
        used={standing.progress.bytes}
        max={Math.max(1, standing.bytes)}
        label={`${records(standing.progress.records)} checked`}
      />
    );
  if (standing.is === "cannot")
    return (
      <Note tone="warn" title="It could not be verified.">
        <p>{escapeText(standing.reason)}</p>
      </Note>
    );
  if (standing.is === "bad") {
    const { line, seq, eventId, reason } = standing.fault;
    return (
      <Note tone="bad" title="This bundle is not what was signed.">
        <p>{escapeText(reason[0]?.toUpperCase() + reason.slice(1))}.</p>
        <Facts
          facts={[
            ["First bad line", count(line)],
            ["Record", seq === undefined ? "none: it is about the file itself" : count(seq)],
            ["Event", eventId && <code key="">{escapeLine(eventId)}</code>],
          ]}
        />
        <p className="small">
          What stands before this line was in order; nothing after it was looked at. Take the bundle again,
          and compare; if it stays like that, ask the operator of the gateway.
        </p>
      </Note>
    );
  }
  return standing.is === "good" ? <Good {...standing} /> : null;
}

function Good({ report, against }: Extract<Standing, { is: "good" }>) {
  const [done, setDone] = useState(false);
  const missing = (number: number) => (number > 0 ? `, ${number} that records name not in the file` : "");
  return (
    <Note
      tone="good"
      title={
        report.scope === "log"
          ? `The whole log is good: ${records(report.records)}.`
          : `This trail is whole: ${records(report.records)}, none left out.`
      }
    >
      <ul>
        <li>
          Each record is in the log of {records(report.size)} that was signed, at its place, and unchanged.
        </li>
        <li>The records follow each other without a gap.</li>
        {report.scope !== "log" && <li>The signed end says that nothing was cut off or added.</li>}
        {against.kept !== undefined && (
          <li>The log goes on from the checkpoint of {records(against.kept)} that you keep.</li>
        )}
        {report.policyFiles > 0 && <li>The policy files that decided are the ones the records name.</li>}
      </ul>
      <Facts
        facts={[
          ["Organization", report.organizationId],
          ["Of", report.scope],
          ["Root", <code key="">{report.root}</code>],
          ["Key", <code key="">{report.verifierKey}</code>],
          ["Checkpoints", report.checkpoints > 0 && `${count(report.checkpoints)} earlier, all in agreement`],
          ["Cases", report.cases > 0 && count(report.cases)],
          ["Sessions", report.sessions > 0 && count(report.sessions)],
          [
            "Policy files",
            report.scope !== "log" && count(report.policyFiles) + missing(report.policyFilesMissing),
          ],
          [
            "Artifacts",
            report.scope !== "log" &&
              `${count(report.artifacts)}, ${count(report.artifactContents)} with their bytes${missing(report.artifactsMissing)}`,
          ],
          ["Out of time", report.outOfTime > 0 && `${records(report.outOfTime)}: a clock was set back`],
        ].map(([name, value]) => [name as string, value === false ? undefined : value])}
      />
      {against.key === "file" && (
        <p className="small">
          It was measured by the key in the file itself. Compare the key above with what{" "}
          <code>proliferate audit key</code> prints, or paste that one, to know who signed it.
        </p>
      )}
      <div className="row">
        <Button
          size="s"
          disabled={done}
          onClick={() => {
            keep(report.organizationId, { key: report.verifierKey, checkpoint: report.checkpoint });
            setDone(true);
            toast.done(
              "Kept on this device.",
              "From now on bundles are measured by this key, and the log must go on from here.",
            );
          }}
        >
          {done ? "Kept" : "Keep this key and checkpoint on this device"}
        </Button>
      </div>
    </Note>
  );
}
