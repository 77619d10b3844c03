// Bytes as text and their digests, by what the browser has.

export type Hash = string;

const encoder = new TextEncoder();
export const utf8 = (text: string): Uint8Array => encoder.encode(text);

export function concat(parts: Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

export function fromHex(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length / 2);
  for (let at = 0; at < bytes.length; at += 1)
    bytes[at] = Number.parseInt(text.slice(2 * at, 2 * at + 2), 16);
  return bytes;
}

/** Only what standard base64 with its padding would have written; else `null`. */
export function fromBase64(text: string): Uint8Array | null {
  try {
    const raw = atob(text);
    if (btoa(raw) !== text) return null;
    return Uint8Array.from(raw, (char) => char.charCodeAt(0));
  } catch {
    return null;
  }
}

// A view of a plain buffer: what WebCrypto takes.
const plain = (bytes: Uint8Array) => bytes as Uint8Array<ArrayBuffer>;

async function digest(algorithm: "SHA-256" | "SHA-1", bytes: Uint8Array): Promise<Hash> {
  return toHex(new Uint8Array(await crypto.subtle.digest(algorithm, plain(bytes))));
}

export const sha256 = (bytes: Uint8Array): Promise<Hash> => digest("SHA-256", bytes);

/** The id that git gives to a file of these bytes. */
export const gitBlobId = (bytes: Uint8Array): Promise<Hash> =>
  digest("SHA-1", concat([utf8(`blob ${bytes.length}\0`), bytes]));

export async function verifyEd25519(
  key: Uint8Array,
  signature: Uint8Array,
  text: Uint8Array,
): Promise<boolean> {
  const imported = await crypto.subtle.importKey("raw", plain(key), "Ed25519", false, ["verify"]);
  return crypto.subtle.verify("Ed25519", imported, plain(signature), plain(text));
}

/** Why this browser cannot verify; `null` if it can. */
export async function whyNot(): Promise<string | null> {
  if (!globalThis.crypto?.subtle)
    return "This page was opened without encryption, and browsers keep their cryptography from such pages. Open the dashboard by https, or on the machine itself by localhost.";
  try {
    await crypto.subtle.generateKey("Ed25519", false, ["sign", "verify"]);
    return null;
  } catch {
    return "This browser has no Ed25519. Use a current Chromium, Firefox or Safari, or `proliferate audit verify`.";
  }
}
