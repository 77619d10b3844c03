import type { Schemas } from "@/api/client";
import { kept } from "./kept";
import { utf8, whyNot } from "./verify/bytes";
import { canonical, type Json } from "./verify/canonical";
import { isIncluded, leafHash } from "./verify/merkle";
import { openNote, readKey, Unproven } from "./verify/note";

export type Proven = { good: true; size: number; keyIsKept: boolean } | { good: false; reason: string };

/** Whether the record is in the log that was signed. The key that this device keeps is used, if it keeps one. */
export async function proveEvent(proof: Schemas["AuditProofView"], named: string): Promise<Proven> {
  const cannot = await whyNot();
  if (cannot) throw new Error(cannot);
  const { ledger_id } = proof.record as { ledger_id?: string };
  const own = kept(ledger_id);
  try {
    const checkpoint = await openNote(proof.checkpoint, await readKey(own?.key ?? named));
    const leaf = await leafHash(utf8(canonical(proof.record as Json)));
    if (!(await isIncluded(leaf, proof.seq, proof.proof, checkpoint)))
      return { good: false, reason: "its hash is not in the tree that was signed" };
    return { good: true, size: checkpoint.size, keyIsKept: own !== null };
  } catch (error) {
    if (error instanceof Unproven) return { good: false, reason: error.message };
    throw error;
  }
}
