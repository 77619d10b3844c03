export type FaultFacts = {
  /** From 1; the header is the first. */
  line: number;
  /** The record's number, or the one that was expected; absent where it is about no record. */
  seq?: number;
  eventId?: string;
  reason: string;
};

/** What is wrong with a bundle, and where first. */
export class Fault extends Error {
  override name = "Fault";
  constructor(readonly facts: FaultFacts) {
    super(`line ${facts.line}: ${facts.reason}`);
  }

  /** The same, about a record. */
  about(record: { seq: number; eventId?: string } | null): Fault {
    return record
      ? new Fault({ ...this.facts, seq: record.seq, eventId: record.eventId ?? this.facts.eventId })
      : this;
  }
}
