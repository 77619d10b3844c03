// A whole log from the first line to the last: every number, every chain, the tree, the signatures.
import type { Hash } from "./bytes";
import { Fault } from "./fault";
import type { End, Header, Place, RecordItem } from "./item";
import type { Lines } from "./lines";
import { Tree } from "./merkle";
import { type Checkpoint, openNote } from "./note";
import { emptyReport, FORKED, proven, type Report, type Told, type Trust } from "./report";

const ZERO: Hash = "0".repeat(64);
/** A clock that goes back by less than this is not marked. */
const CLOCK_STEP_MS = 1_000;
type Last = { leaf: Hash; line: number; eventId?: string };

export class LogWalk {
  private seq = 0;
  /** All leaves but the last: whether the last one stands, the record after it says. */
  private readonly tree = new Tree();
  private last: Last | null = null;
  /** What the root must be once the last leaf is in the tree: an earlier checkpoint. */
  private signed: { root: Hash; line: number } | null = null;
  /** Checkpoints that agreed, and the size of the last one. */
  private checkpoints = 0;
  private good = 0;
  private readonly trails = new Map<string, { next: number; leaf: Hash }>();
  private at: number | undefined;
  private outOfTime = 0;

  constructor(
    private readonly lines: Lines,
    private readonly trust: Trust,
    private readonly header: Header,
    private readonly checkpoint: Checkpoint,
  ) {}

  async walk(told: Told): Promise<Report> {
    for (;;) {
      const item = await this.lines.item().catch((error: Fault) => {
        throw error.about({ seq: this.seq });
      });
      if (item === null) throw this.here("the bundle ends here, without its last line");
      if (item.is === "record") await this.accept(item);
      else if (item.is === "checkpoint" && !item.consistency) await this.earlier(item.note);
      else if (item.is === "end") return this.finish(item);
      else throw this.here("it is no line of a whole log");
      told({ records: this.seq, bytes: this.lines.bytes });
    }
  }

  /** A fault of the line that was read last, about the record that comes next. */
  private here(reason: string): Fault {
    return this.lines.fault(reason).about({ seq: this.seq });
  }
  private atRecord({ eventId }: RecordItem, reason: string): Fault {
    return this.lines.fault(reason).about({ seq: this.seq, eventId });
  }
  private atLast(reason: string): Fault {
    const { line = 1, eventId } = this.last ?? {};
    return new Fault({ line, seq: Math.max(0, this.seq - 1), eventId, reason });
  }

  private async accept(record: RecordItem): Promise<void> {
    if (this.seq >= this.checkpoint.size)
      throw this.atRecord(record, "there are more records than were signed");
    if (record.seq !== this.seq)
      throw this.atRecord(record, `record ${record.seq} stands where ${this.seq} belongs`);
    if (record.ledgerId !== this.header.organizationId)
      throw this.atRecord(record, "it is of another organization's log");
    if (record.prev !== (this.last?.leaf ?? ZERO)) throw await this.brokenLink(record);
    for (const place of record.places) this.inItsTrail(record, place);
    const back = record.at !== undefined && this.at !== undefined && record.at + CLOCK_STEP_MS < this.at;
    if (back !== record.clockRegression)
      throw this.atRecord(record, "its mark of a clock set back does not fit the times");
    await this.grow();
    for (const { trail, seq } of record.places)
      this.trails.set(`${trail.kind} ${trail.id}`, { next: seq + 1, leaf: record.leaf });
    if (record.clockRegression) this.outOfTime += 1;
    this.at = record.at ?? this.at;
    this.last = { leaf: record.leaf, line: this.lines.number, eventId: record.eventId };
    this.seq += 1;
  }

  private inItsTrail(record: RecordItem, { trail, seq, prev }: Place): void {
    const known = this.trails.get(`${trail.kind} ${trail.id}`) ?? { next: 0, leaf: ZERO };
    if (seq !== known.next)
      throw this.atRecord(record, `it is number ${seq} of its ${trail.kind} where ${known.next} belongs`);
    if (prev !== known.leaf)
      throw this.atRecord(record, `it does not follow the record of its ${trail.kind} before it`);
  }

  /** The last leaf stands: it goes into the tree, which must be the one that was signed at this size. */
  private async grow(): Promise<void> {
    if (!this.last) return;
    await this.tree.push(this.last.leaf);
    const { signed } = this;
    this.signed = null;
    const isKept = this.trust.kept?.size === this.seq;
    if (!signed && !isKept) return;
    const root = await this.tree.root();
    if (signed) {
      if (root !== signed.root)
        throw new Fault({
          line: signed.line,
          seq: this.good,
          reason: `records ${this.good} to ${this.seq - 1} are not those that were signed: one was changed, and all after it were chained anew`,
        });
      this.good = this.seq;
      this.checkpoints += 1;
    }
    if (isKept && this.trust.kept?.root !== root) throw this.atLast(FORKED);
  }

  /** Whether an earlier checkpoint agrees, the record after it says: if that one does not follow the one before,
   *  it is known which of them was changed. */
  private async earlier(note: string): Promise<void> {
    const { size, root } = await proven(this.lines, () => openNote(note, this.trust.key)).catch(
      (error: Fault) => {
        throw error.about({ seq: this.seq });
      },
    );
    if (size !== this.seq || size >= this.checkpoint.size)
      throw this.here(`a checkpoint of ${size} records stands here`);
    if (this.signed) throw this.here("the same checkpoint stands before it");
    this.signed = { root, line: this.lines.number };
  }

  /** The record does not follow the one before it: one of the two was changed. What was signed between them says
   *  which; else the record after them; else, for the last one, the signed root. */
  private async brokenLink(record: RecordItem): Promise<Fault> {
    if (!this.last) return this.atRecord(record, "the first record names a record before it");
    const follows = this.atRecord(record, "it does not follow the record before it");
    const changed = this.atLast("it was changed: the record after it names another hash");
    const tree = this.tree.copy();
    if (this.signed) {
      await tree.push(this.last.leaf);
      return (await tree.root()) === this.signed.root ? follows : changed;
    }
    await tree.push(record.prev);
    try {
      for (;;) {
        const item = await this.lines.item();
        if (item?.is === "checkpoint") continue;
        if (item?.is === "record") return item.prev === record.leaf ? changed : follows;
        if (this.checkpoint.size !== record.seq + 1) return changed;
        await tree.push(record.leaf);
        return (await tree.root()) === this.checkpoint.root ? changed : follows;
      }
    } catch (error) {
      if (error instanceof Fault) return changed;
      throw error;
    }
  }

  private async finish(end: End): Promise<Report> {
    const { size, root } = this.checkpoint;
    if (this.seq < size) throw this.here(`the log ends here; ${size} records were signed`);
    if (this.signed) throw this.here("a checkpoint stands after the last record");
    // The last record first: the tree and the signed root say whether it stands.
    const tree = this.tree.copy();
    if (this.last) await tree.push(this.last.leaf);
    if ((await tree.root()) !== root)
      throw this.atLast(
        `up to here the log is not the one that was signed: this record was changed, or the chain was rewritten after record ${this.good}`,
      );
    await this.grow();
    if (end.records !== this.seq || end.checkpoints !== this.checkpoints || end.trail)
      throw this.here("it does not count what is before it");
    if ((await this.lines.next()) !== null) throw this.here("there is something after the last line");
    const trails = [...this.trails.keys()];
    return {
      ...emptyReport(this.header, this.checkpoint),
      records: this.seq,
      cases: trails.filter((trail) => trail.startsWith("case ")).length,
      sessions: trails.filter((trail) => trail.startsWith("session ")).length,
      outOfTime: this.outOfTime,
      checkpoints: this.checkpoints,
    };
  }
}
