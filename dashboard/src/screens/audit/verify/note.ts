// Signed checkpoints (C2SP signed-note and tlog-checkpoint): the key, the signature, the size and the root.
import { concat, fromBase64, sha256, toHex, utf8, verifyEd25519 } from "./bytes";
import type { Signed } from "./merkle";

const ED25519 = 1;
/** As the standard's parsers split: controls but the line break have no place in a note. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/;

export type VerifierKey = { text: string; name: string; hash: string; public: Uint8Array };
export type Checkpoint = Signed & { origin: string };

/** Something that proves nothing, and why. */
export class Unproven extends Error {}

/** Reads `NAME+HASH+BASE64`. */
export async function readKey(given: string): Promise<VerifierKey> {
  const text = given.trim();
  // The key itself may have a `+`, the name may not.
  const [, name, hash, encoded] = /^([^+]*)\+([^+]*)\+(.*)$/s.exec(text) ?? [];
  if (name === undefined || hash === undefined || encoded === undefined)
    throw new Unproven("not a verifier key: it has three parts, NAME+HASH+KEY");
  if (name === "" || /\s/.test(name) || CONTROLS.test(name))
    throw new Unproven("not a verifier key: its name is not one word");
  const key = fromBase64(encoded);
  if (key?.[0] !== ED25519 || key.length !== 33)
    throw new Unproven("not a verifier key: it is no Ed25519 key in base64");
  const expected = (await sha256(concat([utf8(`${name}\n`), key]))).slice(0, 8);
  if (hash !== expected) throw new Unproven("not a verifier key: its hash is not that of its name and key");
  return { text, name, hash, public: key.slice(1) };
}

/** The text above the signatures, if `key` signed it. Signatures of others are passed over. */
export async function signedText(note: string, key: VerifierKey): Promise<string> {
  const split = note.lastIndexOf("\n\n");
  if (split < 0) throw new Unproven("the checkpoint has no signatures");
  const text = note.slice(0, split + 1);
  const signatures = note.slice(split + 2);
  if (!signatures.endsWith("\n") || CONTROLS.test(text))
    throw new Unproven("the checkpoint is no signed note");
  for (const line of signatures.slice(0, -1).split("\n")) {
    const [, name, encoded] = /^\u2014 ([^ ]*) (.*)$/.exec(line) ?? [];
    if (name === undefined || encoded === undefined)
      throw new Unproven("a signature is not in the note format");
    const bytes = fromBase64(encoded);
    if (!bytes) throw new Unproven("a signature is not base64");
    if (name !== key.name || toHex(bytes.slice(0, 4)) !== key.hash) continue;
    if (await verifyEd25519(key.public, bytes.slice(4), utf8(text))) return text;
    throw new Unproven("the signature is not valid");
  }
  throw new Unproven("the checkpoint is not signed by the given key");
}

/** Checks the signature and reads the checkpoint. */
export async function openNote(note: string, key: VerifierKey): Promise<Checkpoint> {
  const [origin, size, encoded] = (await signedText(note, key)).split("\n");
  if (origin === undefined || size === undefined || !encoded)
    throw new Unproven("the checkpoint is not three lines");
  if (origin !== key.name) throw new Unproven("the checkpoint is of another log");
  if (!/^(0|[1-9][0-9]*)$/.test(size) || !Number.isSafeInteger(Number(size)))
    throw new Unproven("the checkpoint's size is not written plainly");
  const root = fromBase64(encoded);
  if (root?.length !== 32) throw new Unproven("the checkpoint's root is no hash");
  return { origin, size: Number(size), root: toHex(root) };
}
