// The real binary with the demo, in a data directory of its own, for as long as the tests run.
import { type ChildProcess, spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const START_MS = 120_000;
const STOP_MS = 30_000;
const OUTPUT = "e2e/output";

type DevFile = { url: string; owner: string; admin: string; member: string };

export default async function gateway(): Promise<() => Promise<void>> {
  const data = await mkdtemp(join(tmpdir(), "proliferate-e2e-"));
  await mkdir(OUTPUT, { recursive: true });
  const target = process.env.CARGO_TARGET_DIR ?? "../target";
  const binary = resolve(target, "debug/proliferate");
  const child = spawn(
    binary,
    ["dev", "--demo", "--listen", process.env.E2E_LISTEN ?? "127.0.0.1:0", "--data-dir", data],
    {
      stdio: ["ignore", "pipe", "pipe"],
      // The weaker sandboxes work wherever tests do, and change no network under the browser.
      env: { ...process.env, ANTHROPIC_API_KEY: "", PROLIFERATE_SANDBOX_PROVIDER: "rootless" },
    },
  );
  const log = createWriteStream(`${OUTPUT}/gateway.log`);
  child.stdout.pipe(log);
  let said = "";
  child.stdout.on("data", (piece) => {
    said += String(piece);
  });
  child.stderr.pipe(log);
  try {
    const dev = await started(child, data);
    const link = /http\S+\/login\/dev\?code=\S+/.exec(said)?.[0];
    process.env.E2E_GATEWAY = JSON.stringify({ ...dev, link });
  } catch (error) {
    await stopped(child);
    throw error;
  }
  return async () => {
    await stopped(child);
    await rm(data, { recursive: true, force: true });
  };
}

async function started(child: ChildProcess, data: string): Promise<DevFile> {
  const until = Date.now() + START_MS;
  while (Date.now() < until) {
    if (child.exitCode !== null) throw new Error(`the gateway ended; see ${OUTPUT}/gateway.log`);
    const dev = await readFile(join(data, "dev.json"), "utf8").then(JSON.parse, () => null);
    const ready = dev && (await fetch(`${dev.url}/ready`).catch(() => null));
    if (ready?.ok) return dev as DevFile;
    await new Promise((done) => setTimeout(done, 200));
  }
  throw new Error(`the gateway was not ready in time; see ${OUTPUT}/gateway.log`);
}

/** Politely, so that sandboxes are put away; then not. */
async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const gone = new Promise((done) => child.once("exit", done));
  child.kill("SIGTERM");
  const late = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
  await gone;
  clearTimeout(late);
}
