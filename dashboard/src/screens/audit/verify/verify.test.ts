// @vitest-environment node
// Bundles that a real gateway wrote (fixtures/make.sh), as they are and tampered with.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { type Fault, openNote, readKey, type Trust, verify } from ".";
import { utf8 } from "./bytes";

const fixture = (name: string) => readFile(fileURLToPath(new URL(`fixtures/${name}`, import.meta.url)));
let log: string[];
let trail: string[];
let trust: Trust;

beforeAll(async () => {
  const lines = async (name: string) => (await fixture(name)).toString("utf8").split("\n").slice(0, -1);
  log = await lines("log.jsonl");
  trail = await lines("case.jsonl");
  trust = { key: await readKey((await fixture("log.key")).toString("utf8")) };
});

async function* pieces(bytes: Uint8Array, size = 1_000) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
const check = (lines: string[], by = trust) => verify(pieces(utf8(`${lines.join("\n")}\n`)), by);
const fault = async (lines: string[], by = trust) => {
  const outcome = await check(lines, by).catch((error: Fault) => error.facts);
  if (!("reason" in outcome)) throw new Error("it was found good");
  return outcome;
};
const at = (lines: string[], index: number) => lines[index] ?? "";
const changed = (lines: string[], index: number, change: (line: string) => string) =>
  lines.with(index, change(at(lines, index)));
const indexOf = (lines: string[], has: string) => lines.findIndex((line) => line.includes(has));
const eventOf = (line: string) => /"event_id":"([^"]+)"/.exec(line)?.[1];

describe("a bundle as the gateway wrote it", () => {
  it("is good as a whole log", async () => {
    const report = await check(log);
    expect(report).toMatchObject({ scope: "log", organizationId: "org_demo", cases: 1, sessions: 1 });
    expect(report.records).toBe(report.size);
    expect(report.checkpoints).toBeGreaterThan(0);
  });

  it("is good as the trail of a case, with what it refers to", async () => {
    expect(await check(trail)).toMatchObject({
      scope: "case CASE-1",
      policyFiles: 3,
      policyFilesMissing: 0,
      artifacts: 1,
      artifactContents: 1,
      artifactsMissing: 0,
    });
  });

  it("is good however the bytes come", async () => {
    const bytes = utf8(`${trail.join("\n")}\n`);
    for (const size of [7, bytes.length]) await verify(pieces(bytes, size), trust);
  });
});

describe("a bundle that was changed", () => {
  it("is found out by one bit anywhere", async () => {
    for (const lines of [log, trail]) {
      const bytes = utf8(`${lines.join("\n")}\n`);
      for (let flipped = 3; flipped < bytes.length; flipped += 1_009) {
        const copy = bytes.slice();
        copy[flipped] = (copy[flipped] ?? 0) ^ 1;
        await expect(verify(pieces(copy), trust), `byte ${flipped}`).rejects.toThrow(/^line \d+: /);
      }
    }
  }, 60_000);

  it("names the record that was changed", async () => {
    for (const lines of [log, trail]) {
      const records = lines.flatMap((line, index) => (line.includes('"actor_id":"') ? [index] : []));
      expect(records.length).toBeGreaterThan(5);
      for (const index of records) {
        const told = await fault(
          changed(lines, index, (line) => line.replace('"actor_id":"', '"actor_id":"x')),
        );
        expect(told).toMatchObject({ line: index + 1, eventId: eventOf(at(lines, index)) });
      }
    }
  }, 60_000);

  it("misses nothing that was left out", async () => {
    const record = indexOf(trail, '"case_seq":3');
    expect(await fault(trail.toSpliced(record, 2))).toMatchObject({
      line: record + 1,
      reason: "it is number 4 of its case where 3 belongs",
    });
    const last = trail.length - 1;
    expect((await fault(trail.slice(0, last))).reason).toMatch(/without its last line/);
    for (const has of ['"policy_file"', '"checkpoint":"proliferate', '"content":"QSBs'])
      expect((await fault(trail.toSpliced(indexOf(trail.slice(1), has) + 1, 1))).reason).toMatch(
        /left out or added/,
      );
  });

  it("sees two records that changed places, and one that is there twice", async () => {
    const five = log.findIndex((line) => (JSON.parse(line) as { seq?: number }).seq === 5);
    const swapped = log.with(five, at(log, five + 1)).with(five + 1, at(log, five));
    expect((await fault(swapped)).reason).toBe("record 6 stands where 5 belongs");
    expect((await fault(log.toSpliced(five, 0, at(log, five)))).seq).toBe(6);
  });

  it("takes no line in another spelling", async () => {
    const proof = indexOf(trail, '{"proof"');
    expect((await fault(changed(trail, proof, (line) => line.replace("{", "{ ")))).reason).toBe(
      "not in canonical form",
    );
    const twice = changed(trail, proof, (line) => line.replace("{", '{"proof":[],'));
    expect((await fault(twice)).reason).toBe("not in canonical form");
  });

  it("sees what stands after the end, and a line without its end", async () => {
    expect((await fault([...trail, "{}"])).reason).toBe("there is something after the last line");
    const bytes = utf8(trail.join("\n"));
    await expect(verify(pieces(bytes), trust)).rejects.toThrow("the line is cut off");
  });
});

describe("what it is measured by", () => {
  it("is the key that was given, whatever the file says", async () => {
    const other = await readKey("PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW");
    expect(await fault(trail, { key: other })).toMatchObject({
      line: 1,
      reason: "it is signed under another key",
    });
  });

  it("knows a note by its signature", async () => {
    const { key } = trust;
    const { checkpoint } = JSON.parse(at(trail, 0)) as { checkpoint: string };
    const [, size] = checkpoint.split("\n");
    expect((await openNote(checkpoint, key)).size).toBe(Number(size));
    await expect(openNote(checkpoint.replace(`\n${size}\n`, "\n41\n"), key)).rejects.toThrow(
      "the signature is not valid",
    );
  });

  it("may be a checkpoint that was kept: the log goes on from it, or was rolled back, or forked", async () => {
    const earlier = JSON.parse(at(trail, indexOf(trail, '"consistency"'))) as { checkpoint: string };
    const kept = await openNote(earlier.checkpoint, trust.key);
    await check(trail, { ...trust, kept });
    await check(log, { ...trust, kept });
    const rolledBack = { ...kept, size: 1_000_000 };
    expect((await fault(trail, { ...trust, kept: rolledBack })).reason).toMatch(/rolled back/);
    const forked = { ...kept, root: "ab".repeat(32) };
    expect((await fault(trail, { ...trust, kept: forked })).reason).toMatch(/forked/);
    expect((await fault(log, { ...trust, kept: forked })).reason).toMatch(/forked/);
  });

  it("may be a checkpoint that the bundle does not have, with a proof from anywhere", async () => {
    const line = indexOf(trail, '"consistency"');
    const { checkpoint, consistency } = JSON.parse(at(trail, line)) as {
      checkpoint: string;
      consistency: string[];
    };
    const kept = { ...(await openNote(checkpoint, trust.key)), origin: trust.key.name };
    await check(trail, { ...trust, kept, continuation: consistency });
    const wrong = consistency.toReversed();
    expect((await fault(trail, { ...trust, kept, continuation: wrong })).reason).toMatch(
      /not a continuation/,
    );
    const unknown = { ...kept, size: kept.size - 1 };
    expect((await fault(trail, { ...trust, kept: unknown })).reason).toMatch(/does not prove/);
  });
});
