// A bundle line by line: numbered, bounded, each with its end.
import { concat } from "./bytes";
import { Fault } from "./fault";
import { type Item, readItem } from "./item";

/** As the gateway's own limit: eight times the largest policy file. */
export const LINE_BYTES_MAX = 8 * 1024 * 1024;
const END = 10;

export class Lines {
  /** Of the line that was read last, from 1. */
  number = 0;
  /** The line that was read last, without its end. */
  text: Uint8Array = new Uint8Array();
  /** Bytes that were read. */
  bytes = 0;
  private readonly source: AsyncIterator<Uint8Array>;
  private held: Uint8Array[] = [];
  private chunk: Uint8Array = new Uint8Array();

  constructor(source: AsyncIterable<Uint8Array>) {
    this.source = source[Symbol.asyncIterator]();
  }

  /** The next line; `null` at the end. */
  async next(): Promise<Uint8Array | null> {
    this.number += 1;
    this.held = [];
    let size = 0;
    for (;;) {
      const end = this.chunk.indexOf(END);
      const part = end < 0 ? this.chunk : this.chunk.subarray(0, end);
      size += part.length;
      if (size > LINE_BYTES_MAX) throw this.fault("the line is too long");
      this.held.push(part);
      if (end >= 0) {
        this.chunk = this.chunk.subarray(end + 1);
        this.text = this.held.length === 1 ? part : concat(this.held);
        return this.text;
      }
      const { done, value } = await this.source.next();
      if (done) {
        this.chunk = new Uint8Array();
        if (size > 0) throw this.fault("the line is cut off");
        return null;
      }
      this.chunk = value;
      this.bytes += value.length;
    }
  }

  /** The next item; `null` at the end. */
  async item(): Promise<Item | null> {
    const line = await this.next();
    if (line === null) return null;
    const item = await readItem(line);
    if (typeof item === "string") throw this.fault(item);
    return item;
  }

  /** What is wrong with the line that was read last. */
  fault(reason: string): Fault {
    return new Fault({ line: this.number, reason });
  }
}
