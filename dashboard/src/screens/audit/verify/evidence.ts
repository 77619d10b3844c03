// What records refer to, against what they say of it: policy files by their blob ids, artifacts by their digests.
import { concat, gitBlobId, sha256, utf8 } from "./bytes";
import type { Artifact, Item, PolicyFile, RecordItem } from "./item";

const LINE_END = new Uint8Array([10]);

export class Evidence {
  /** Blob ids that records name, and whether the file is there. */
  private readonly policies = new Map<string, boolean>();
  /** Digests of artifacts that records name. */
  private readonly named = new Map<string, string>();
  private readonly there = new Set<string>();
  /** Every line of it: the signed end has one digest over all. */
  private readonly lines: Uint8Array[] = [];
  /** The artifact whose bytes may follow. */
  private open: { artifact: Artifact; parts: Uint8Array[] } | null = null;
  contents = 0;
  policyFiles = 0;

  namedBy(record: RecordItem): void {
    for (const blob of record.policies) if (!this.policies.has(blob)) this.policies.set(blob, false);
    for (const [id, digest] of record.artifacts) this.named.set(id, digest);
  }

  get began(): boolean {
    return this.lines.length > 0;
  }
  get artifacts(): number {
    return this.there.size;
  }
  digest(): Promise<string> {
    return sha256(concat(this.lines));
  }

  /** A line that is no record, proof or checkpoint. What is wrong with it, if something is. */
  async take(item: Item, line: Uint8Array): Promise<string | null> {
    this.lines.push(line.slice(), LINE_END);
    if (item.is === "policy_file") return this.policyFile(item);
    if (item.is === "artifact") return this.artifact(item);
    if (item.is !== "content") return "it does not belong here";
    if (!this.open) return "content stands here without its artifact";
    this.open.parts.push(item.bytes);
    return null;
  }

  private async policyFile(file: PolicyFile): Promise<string | null> {
    if (this.there.size > 0) return "a policy file stands after artifacts";
    const bytes = utf8(file.content);
    if ((await gitBlobId(bytes)) !== file.blob || (await sha256(bytes)) !== file.sha256)
      return "the policy file is not what its digests say: it was changed";
    const known = this.policies.get(file.blob);
    if (known === undefined) return "no record names this policy file";
    if (known) return "the policy file is there twice";
    this.policies.set(file.blob, true);
    this.policyFiles += 1;
    return null;
  }

  private async artifact(artifact: Artifact): Promise<string | null> {
    const before = await this.close();
    if (before) return before;
    const named = this.named.get(artifact.id);
    if (named !== undefined && named !== artifact.sha256)
      return "the artifact has another digest than the records say";
    if (this.there.has(artifact.id)) return "the artifact is there twice";
    this.there.add(artifact.id);
    this.open = { artifact, parts: [] };
    return null;
  }

  /** The bytes of the artifact before, if they were there, are complete: they must be what it says. */
  async close(): Promise<string | null> {
    const open = this.open;
    this.open = null;
    if (!open) return null;
    const bytes = concat(open.parts);
    if (bytes.length === 0) return null;
    if (bytes.length !== open.artifact.byteSize || (await sha256(bytes)) !== open.artifact.sha256)
      return "the bytes before are not what their artifact's digest says";
    this.contents += 1;
    return null;
  }

  missing(): { policyFiles: number; artifacts: number } {
    return {
      policyFiles: [...this.policies.values()].filter((there) => !there).length,
      artifacts: [...this.named.keys()].filter((id) => !this.there.has(id)).length,
    };
  }
}
