// The trail of one case or session: no gap in its records, each proven to be in the signed log; what they refer to
// is what it was; and the signed end says that nothing is left out.
import type { Hash } from "./bytes";
import { Evidence } from "./evidence";
import type { Fault } from "./fault";
import type { End, Header, RecordItem, Trail } from "./item";
import type { Lines } from "./lines";
import { isContinuation, isIncluded } from "./merkle";
import { type Checkpoint, openNote, signedText } from "./note";
import { emptyReport, FORKED, proven, type Report, type Told, type Trust } from "./report";

const ZERO: Hash = "0".repeat(64);
type Waiting = { leaf: Hash; seq: number; line: number; eventId?: string };

export class TrailWalk {
  private readonly evidence = new Evidence();
  /** The number in the trail that comes next, and the leaf it follows. */
  private next = 0;
  private last: Hash = ZERO;
  /** The number in the log after the last record's. */
  private seq = 0;
  /** The record whose proof comes next. */
  private waiting: Waiting | null = null;
  private checkpoints = 0;
  /** The size of the last earlier checkpoint. */
  private covered = 0;
  /** Whether the log was shown to continue the checkpoint that was kept. */
  private met: boolean;
  private outOfTime = 0;

  constructor(
    private readonly lines: Lines,
    private readonly trust: Trust,
    private readonly header: Header,
    private readonly trail: Trail,
    private readonly checkpoint: Checkpoint,
    met: boolean,
  ) {
    this.met = met;
  }

  async walk(told: Told): Promise<Report> {
    for (;;) {
      const item = await this.lines.item().catch((error: Fault) => {
        throw error.about(this.waiting);
      });
      if (item?.is === "proof") await this.proof(item.hashes);
      else if (this.waiting) throw this.waitingFault("its proof is missing");
      else if (item === null) throw this.lines.fault("the bundle ends here, without its last line");
      else if (item.is === "record") this.record(item);
      else if (item.is === "checkpoint") {
        if (!item.consistency) throw this.lines.fault("a checkpoint without its proof stands here");
        await this.earlier(item.note, item.consistency);
      } else if (item.is === "end") return this.finish(item);
      else {
        const reason = await this.evidence.take(item, this.lines.text);
        if (reason) throw this.lines.fault(reason);
      }
      told({ records: this.next, bytes: this.lines.bytes });
    }
  }

  private record(record: RecordItem): void {
    const bad = (reason: string) => this.lines.fault(reason).about(record);
    const { kind, id } = this.trail;
    if (this.evidence.began) throw bad("a record stands after what records refer to");
    if (record.ledgerId !== this.header.organizationId) throw bad("it is of another organization's log");
    const place = record.places.find(({ trail }) => trail.kind === kind && trail.id === id);
    if (!place) throw bad(`it is not of this ${kind}`);
    if (place.seq !== this.next)
      throw bad(`it is number ${place.seq} of its ${kind} where ${this.next} belongs`);
    if (place.prev !== this.last) throw bad(`it does not follow the record of its ${kind} before it`);
    if (record.seq < this.seq || record.seq >= this.checkpoint.size)
      throw bad("its number in the log is not after the one before it, or was not signed");
    this.evidence.namedBy(record);
    if (record.clockRegression) this.outOfTime += 1;
    const { leaf, seq, eventId } = record;
    this.waiting = { leaf, seq, eventId, line: this.lines.number };
  }

  private async proof(hashes: Hash[]): Promise<void> {
    const waiting = this.waiting;
    if (!waiting) throw this.lines.fault("a proof stands here without its record");
    if (!(await isIncluded(waiting.leaf, waiting.seq, hashes, this.checkpoint)))
      throw this.waitingFault("it is not in the signed log: it or its proof was changed");
    this.waiting = null;
    this.last = waiting.leaf;
    this.next += 1;
    this.seq = waiting.seq + 1;
  }

  /** A fault of the record whose proof did not come. */
  private waitingFault(reason: string): Fault {
    const fault = this.lines.fault(reason).about(this.waiting);
    if (this.waiting) fault.facts.line = this.waiting.line;
    return fault;
  }

  /** A checkpoint that was signed earlier and must be the beginning of the signed log. */
  private async earlier(note: string, proof: Hash[]): Promise<void> {
    const before = await proven(this.lines, () => openNote(note, this.trust.key));
    if (this.evidence.began) throw this.lines.fault("a checkpoint stands after what records refer to");
    const { size, root } = before;
    if (size < this.seq || size <= this.covered || size >= this.checkpoint.size)
      throw this.lines.fault(`a checkpoint of ${size} records stands here`);
    if (!(await isContinuation(before, this.checkpoint, proof)))
      throw this.lines.fault("the signed log is not a continuation of this checkpoint");
    if (this.trust.kept?.size === size) {
      if (this.trust.kept.root !== root) throw this.lines.fault(FORKED);
      this.met = true;
    }
    this.covered = size;
    this.checkpoints += 1;
  }

  private async finish(end: End): Promise<Report> {
    const { kind, id } = this.trail;
    const { lines, evidence } = this;
    const open = await evidence.close();
    if (open) throw lines.fault(open);
    const signed = end.trail;
    if (!signed) throw lines.fault("the end of the trail is not signed");
    const text = await proven(lines, () => signedText(signed.note, this.trust.key));
    const expected = [
      `${this.trust.key.name}/trail`,
      `${kind} ${id}`,
      this.checkpoint.size,
      this.next,
      this.last,
      await evidence.digest(),
      "",
    ].join("\n");
    const counts =
      end.records === this.next &&
      end.checkpoints === this.checkpoints &&
      signed.policyFiles === evidence.policyFiles &&
      signed.artifacts === evidence.artifacts;
    if (text !== expected || !counts)
      throw lines.fault(
        `what is before it is not what the ${kind} had when this was signed: something is left out or added`,
      );
    if (!this.met)
      throw lines.fault(
        "the bundle does not prove that the log continues the checkpoint you keep; verify the whole log with it",
      );
    if ((await lines.next()) !== null) throw lines.fault("there is something after the last line");
    const missing = evidence.missing();
    return {
      ...emptyReport(this.header, this.checkpoint),
      records: this.next,
      outOfTime: this.outOfTime,
      checkpoints: this.checkpoints,
      policyFiles: evidence.policyFiles,
      policyFilesMissing: missing.policyFiles,
      artifacts: evidence.artifacts,
      artifactContents: evidence.contents,
      artifactsMissing: missing.artifacts,
    };
  }
}
