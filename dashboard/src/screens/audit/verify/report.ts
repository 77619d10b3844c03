// What a verification is measured by, tells on the way, and finds.
import type { Hash } from "./bytes";
import type { Header } from "./item";
import type { Lines } from "./lines";
import { type Checkpoint, Unproven, type VerifierKey } from "./note";

export type Trust = {
  key: VerifierKey;
  /** A checkpoint that was kept from before: the log must be its continuation. */
  kept?: Checkpoint;
  /** That it is, up to the bundle's checkpoint, if the bundle itself does not show it. The author of the proof
   *  need not be believed. */
  continuation?: Hash[];
};

export type Progress = { records: number; bytes: number };
export type Told = (progress: Progress) => void;

/** What a good bundle is. */
export type Report = {
  organizationId: string;
  /** `log`, `case ID` or `session ID`. */
  scope: string;
  /** Records in the bundle. */
  records: number;
  /** Records in the log, as signed. */
  size: number;
  root: Hash;
  /** The signed note of the bundle, and the key it was signed with. */
  checkpoint: string;
  verifierKey: string;
  cases: number;
  sessions: number;
  /** Records marked because their time is before that of the record before them: a clock was set back. */
  outOfTime: number;
  /** Earlier checkpoints that the log agrees with. */
  checkpoints: number;
  policyFiles: number;
  policyFilesMissing: number;
  artifacts: number;
  artifactContents: number;
  artifactsMissing: number;
};

export const FORKED =
  "the log was forked: the checkpoint you keep has the same size and another root, and both are signed";

export function emptyReport(header: Header, { size, root }: Checkpoint): Report {
  return {
    organizationId: header.organizationId,
    scope: header.trail ? `${header.trail.kind} ${header.trail.id}` : "log",
    records: 0,
    size,
    root,
    checkpoint: header.checkpoint,
    verifierKey: header.verifierKey,
    cases: 0,
    sessions: 0,
    outOfTime: 0,
    checkpoints: 0,
    policyFiles: 0,
    policyFilesMissing: 0,
    artifacts: 0,
    artifactContents: 0,
    artifactsMissing: 0,
  };
}

/** A note of the line that was read last: what is wrong with it is wrong with the line. */
export async function proven<T>(lines: Lines, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Unproven) throw lines.fault(error.message);
    throw error;
  }
}
