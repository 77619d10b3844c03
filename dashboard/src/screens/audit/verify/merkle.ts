// RFC 6962 trees: hashes of leaves and nodes, proofs that a leaf is in a tree and that a tree continues another.
import { concat, fromHex, type Hash, sha256 } from "./bytes";

const LEAF = new Uint8Array([0]);
const NODE = new Uint8Array([1]);

export const leafHash = (line: Uint8Array): Promise<Hash> => sha256(concat([LEAF, line]));

export const nodeHash = (left: Hash, right: Hash): Promise<Hash> =>
  sha256(concat([NODE, fromHex(left), fromHex(right)]));

export type Signed = { size: number; root: Hash };
// Sizes pass 32 bits, which the bit operators of JavaScript do not.
const half = (value: number) => Math.floor(value / 2);
const isOdd = (value: number) => value % 2 === 1;
const isPowerOfTwo = (value: number) => Number.isInteger(Math.log2(value)) && 2 ** Math.log2(value) === value;

export async function isIncluded(leaf: Hash, index: number, proof: Hash[], tree: Signed): Promise<boolean> {
  if (index >= tree.size) return false;
  let [node, last, hash] = [index, tree.size - 1, leaf];
  for (const beside of proof) {
    if (last === 0) return false;
    if (isOdd(node) || node === last) {
      hash = await nodeHash(beside, hash);
      while (!isOdd(node) && node !== 0) [node, last] = [half(node), half(last)];
    } else hash = await nodeHash(hash, beside);
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && hash === tree.root;
}

/** Whether the old tree is the beginning of the new one. */
export async function isContinuation(old: Signed, tree: Signed, proof: Hash[]): Promise<boolean> {
  if (old.size > tree.size) return false;
  if (old.size === tree.size) return proof.length === 0 && old.root === tree.root;
  if (old.size === 0) return proof.length === 0;
  // An old tree that is a perfect subtree is its own first hash.
  const [first, ...rest] = isPowerOfTwo(old.size) ? [old.root, ...proof] : proof;
  if (first === undefined) return false;
  let [node, last] = [old.size - 1, tree.size - 1];
  while (isOdd(node)) [node, last] = [half(node), half(last)];
  let [before, after] = [first, first];
  for (const beside of rest) {
    if (last === 0) return false;
    if (isOdd(node) || node === last) {
      before = await nodeHash(beside, before);
      after = await nodeHash(beside, after);
      while (!isOdd(node) && node !== 0) [node, last] = [half(node), half(last)];
    } else after = await nodeHash(after, beside);
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && before === old.root && after === tree.root;
}

/** The root over leaves that come one by one: perfect subtrees, joined as soon as two have one height. */
export class Tree {
  private subtrees: { height: number; root: Hash }[] = [];

  async push(leaf: Hash): Promise<void> {
    let joined = { height: 0, root: leaf };
    for (let left = this.subtrees.at(-1); left?.height === joined.height; left = this.subtrees.at(-1)) {
      this.subtrees.pop();
      joined = { height: joined.height + 1, root: await nodeHash(left.root, joined.root) };
    }
    this.subtrees.push(joined);
  }

  async root(): Promise<Hash> {
    const roots = this.subtrees.map(({ root }) => root);
    let right = roots.pop();
    if (right === undefined) return sha256(new Uint8Array());
    for (const left of roots.reverse()) right = await nodeHash(left, right);
    return right;
  }

  copy(): Tree {
    const tree = new Tree();
    tree.subtrees = [...this.subtrees];
    return tree;
  }
}
