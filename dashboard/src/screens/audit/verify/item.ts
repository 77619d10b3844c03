// What a line of a bundle can be. Read strictly: exactly the members it may have.
import { fromBase64, type Hash } from "./bytes";
import { type Json, object } from "./canonical";
import { leafHash } from "./merkle";

/** As the gateway's own limit for a record. */
const RECORD_BYTES_MAX = 65_535;
const FORMAT = "proliferate-audit-bundle/2";

export type Kind = "case" | "session";
export type Trail = { kind: Kind; id: string };
/** Where a record stands in its case or session. */
export type Place = { trail: Trail; seq: number; prev: Hash };

export type Header = {
  organizationId: string;
  /** `null`: the whole log. */
  trail: Trail | null;
  checkpoint: string;
  verifierKey: string;
};

export type RecordItem = {
  is: "record";
  leaf: Hash;
  ledgerId: string;
  seq: number;
  prev: Hash;
  /** Its case's first, then its session's. */
  places: Place[];
  eventId?: string;
  /** When it happened, in milliseconds, if it says so in a form that can be compared. */
  at?: number;
  clockRegression: boolean;
  /** Blob ids of the policy files it names. */
  policies: string[];
  /** Ids and digests of the artifacts it names. */
  artifacts: [id: string, sha256: string][];
};
export type PolicyFile = { is: "policy_file"; blob: string; sha256: string; content: string };
export type Artifact = { is: "artifact"; id: string; sha256: string; byteSize: number };
export type End = {
  is: "end";
  records: number;
  checkpoints: number;
  trail?: { policyFiles: number; artifacts: number; note: string };
};
export type Item =
  | RecordItem
  | { is: "proof"; hashes: Hash[] }
  | { is: "checkpoint"; note: string; consistency?: Hash[] }
  | PolicyFile
  | Artifact
  | { is: "content"; bytes: Uint8Array }
  | End;

class Unreadable extends Error {}
type Fields = { [name: string]: Json };

/** Takes members out one by one; what is left at the end does not belong there. */
class Reader {
  private readonly left: Map<string, Json>;
  constructor(members: Fields) {
    this.left = new Map(Object.entries(members));
  }
  has(name: string): boolean {
    return this.left.has(name);
  }
  take(name: string): Json | undefined {
    const value = this.left.get(name);
    this.left.delete(name);
    return value;
  }
  part(name: string): Fields {
    const value = this.take(name);
    if (isObject(value)) return value;
    throw new Unreadable(`\`${name}\` is missing or no object`);
  }
  text(name: string): string {
    const value = this.take(name);
    if (typeof value === "string") return value;
    throw new Unreadable(`\`${name}\` is missing or no text`);
  }
  number(name: string): number {
    const value = this.take(name);
    if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
    throw new Unreadable(`\`${name}\` is missing or no number`);
  }
  hash(name: string): Hash {
    const text = this.text(name);
    if (isHash(text)) return text;
    throw new Unreadable(`\`${name}\` is no hash`);
  }
  hashes(name: string): Hash[] {
    const value = this.take(name);
    if (!Array.isArray(value)) throw new Unreadable(`\`${name}\` is missing or no list`);
    return value.map((item) => {
      if (typeof item === "string" && isHash(item)) return item;
      throw new Unreadable(`\`${name}\` has an item that is no hash`);
    });
  }
  /** Not named: it is external text. */
  end(): void {
    if (this.left.size > 0) throw new Unreadable("it has a member that does not belong there");
  }
}

const isHash = (text: string) => /^[0-9a-f]{64}$/.test(text);
const isObject = (value: Json | undefined): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const textOf = (value: Json | undefined) => (typeof value === "string" ? value : undefined);

/** A header, or why the line is none. */
export function readHeader(line: Uint8Array): Header | string {
  return attempt(line, (members) => {
    if (members.text("format") !== FORMAT) throw new Unreadable(`the format is not \`${FORMAT}\``);
    const scope = new Reader(members.part("scope"));
    const kind = scope.text("kind");
    if (kind !== "log" && kind !== "case" && kind !== "session")
      throw new Unreadable("its scope is not known");
    const trail: Trail | null = kind === "log" ? null : { kind, id: scope.text("id") };
    scope.end();
    return {
      organizationId: members.text("organization_id"),
      trail,
      checkpoint: members.text("checkpoint"),
      verifierKey: members.text("verifier_key"),
    };
  });
}

/** An item, or why the line is none. */
export async function readItem(line: Uint8Array): Promise<Item | string> {
  const item = attempt(line, (members): Item => {
    if (members.has("event")) return readRecord(line, members);
    if (members.has("proof")) return { is: "proof", hashes: members.hashes("proof") };
    if (members.has("checkpoint")) {
      const consistency = members.has("consistency") ? members.hashes("consistency") : undefined;
      return { is: "checkpoint", note: members.text("checkpoint"), consistency };
    }
    if (members.has("policy_file")) return readPolicyFile(new Reader(members.part("policy_file")));
    if (members.has("artifact")) return readArtifact(new Reader(members.part("artifact")));
    if (members.has("content")) {
      const bytes = fromBase64(members.text("content"));
      if (!bytes) throw new Unreadable("`content` is not base64");
      return { is: "content", bytes };
    }
    if (members.has("end")) return readEnd(new Reader(members.part("end")));
    throw new Unreadable("it is no line of a bundle");
  });
  if (typeof item === "string" || item.is !== "record") return item;
  return { ...item, leaf: await leafHash(line) };
}

function attempt<T>(line: Uint8Array, read: (members: Reader) => T): T | string {
  const members = object(line);
  if (typeof members === "string") return members;
  try {
    const reader = new Reader(members);
    const value = read(reader);
    reader.end();
    return value;
  } catch (error) {
    if (error instanceof Unreadable) return error.message;
    throw error;
  }
}

function readRecord(line: Uint8Array, members: Reader): RecordItem {
  if (line.length > RECORD_BYTES_MAX) throw new Unreadable("the record is too long");
  const event = members.part("event");
  const places: Place[] = [];
  if ("case_id" in event) {
    const id = textOf(event.case_id);
    if (id === undefined) throw new Unreadable("`event.case_id` is no text");
    places.push({
      trail: { kind: "case", id },
      seq: members.number("case_seq"),
      prev: members.hash("case_prev"),
    });
  }
  if (members.has("session_id"))
    places.push({
      trail: { kind: "session", id: members.text("session_id") },
      seq: members.number("session_seq"),
      prev: members.hash("session_prev"),
    });
  const mark = members.take("clock_regression");
  if (mark !== undefined && mark !== true) throw new Unreadable("`clock_regression` is there and not true");
  const at = Date.parse(textOf(event.timestamp_utc) ?? "");
  return {
    is: "record",
    leaf: "",
    ledgerId: members.text("ledger_id"),
    seq: members.number("seq"),
    prev: members.hash("prev"),
    places,
    eventId: textOf(event.event_id),
    at: Number.isNaN(at) ? undefined : at,
    clockRegression: mark === true,
    policies: isObject(event.policy_versions)
      ? Object.values(event.policy_versions).flatMap((blob) => textOf(blob) ?? [])
      : [],
    artifacts: [event.input_artifacts, event.output_artifacts].flatMap(namedArtifacts),
  };
}

function namedArtifacts(list: Json | undefined): [string, string][] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item): [string, string][] => {
    const [id, sha256] = isObject(item) ? [textOf(item.artifact_id), textOf(item.hash_sha256)] : [];
    return id !== undefined && sha256 !== undefined ? [[id, sha256]] : [];
  });
}

function readPolicyFile(members: Reader): PolicyFile {
  const file: PolicyFile = {
    is: "policy_file",
    blob: members.text("blob"),
    sha256: members.text("sha256"),
    content: members.text("content"),
  };
  members.end();
  return file;
}

function readArtifact(members: Reader): Artifact {
  const artifact: Artifact = {
    is: "artifact",
    id: members.text("artifact_id"),
    sha256: members.text("hash_sha256"),
    byteSize: members.number("byte_size"),
  };
  members.text("artifact_kind");
  members.text("content_type");
  members.end();
  return artifact;
}

function readEnd(members: Reader): End {
  const trail = members.has("trail")
    ? {
        policyFiles: members.number("policy_files"),
        artifacts: members.number("artifacts"),
        note: members.text("trail"),
      }
    : undefined;
  const end: End = {
    is: "end",
    records: members.number("records"),
    checkpoints: members.number("checkpoints"),
    trail,
  };
  members.end();
  return end;
}
