// Checks a log, or a trail of it, with its file and the public key alone. Written from the description of the format
// (docs/concepts/audit.md), independent of the gateway: its operator need not be trusted.
import { Fault } from "./fault";
import { readHeader } from "./item";
import { Lines } from "./lines";
import { LogWalk } from "./log";
import { isContinuation } from "./merkle";
import { openNote } from "./note";
import { FORKED, proven, type Report, type Told, type Trust } from "./report";
import { TrailWalk } from "./trail";

export { Fault, type FaultFacts } from "./fault";
export { openNote, readKey } from "./note";
export type { Progress, Report, Trust } from "./report";

/** Checks a whole bundle; throws a `Fault` for what is wrong first. */
export async function verify(
  source: AsyncIterable<Uint8Array>,
  trust: Trust,
  told: Told = () => {},
): Promise<Report> {
  const lines = new Lines(source);
  const first = await lines.next();
  if (first === null) throw lines.fault("there is no header");
  const header = readHeader(first);
  if (typeof header === "string") throw lines.fault(header);
  if (header.verifierKey !== trust.key.text) throw lines.fault("it is signed under another key");
  const checkpoint = await proven(lines, () => openNote(header.checkpoint, trust.key));
  if (checkpoint.origin !== `proliferate/audit/${header.organizationId}`)
    throw lines.fault("the checkpoint is of another organization");
  const { kept, continuation } = trust;
  if (kept && kept.size > checkpoint.size)
    throw lines.fault(
      `the log has ${checkpoint.size} records and the checkpoint you keep ${kept.size}: the log was rolled back`,
    );
  if (kept?.size === checkpoint.size && kept.root !== checkpoint.root) throw lines.fault(FORKED);
  if (!header.trail) return new LogWalk(lines, trust, header, checkpoint).walk(told);
  let met = !kept || kept.size === checkpoint.size;
  if (!met && kept && continuation) {
    if (!(await isContinuation(kept, checkpoint, continuation)))
      throw lines.fault("the signed log is not a continuation of the checkpoint you keep");
    met = true;
  }
  return new TrailWalk(lines, trust, header, header.trail, checkpoint, met).walk(told);
}

/** The header of a bundle, without proof of anything. */
export async function peek(source: AsyncIterable<Uint8Array>) {
  const lines = new Lines(source);
  const first = await lines.next();
  const header = first === null ? "there is no header" : readHeader(first);
  if (typeof header === "string") throw new Fault({ line: 1, reason: header });
  return header;
}
