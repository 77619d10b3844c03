// The real binary with the demo, in a data directory of its own, for as long as the tests run.
import { type ChildProcess, spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { CLIENT, Oidc } from "./oidc";

const START_MS = 120_000;
const STOP_MS = 30_000;
const OUTPUT = "e2e/output";
const ORGANIZATION = "org_demo";
/** How long a call waits for a decision here: long enough to be decided, and short enough to be seen expire. */
const APPROVAL_SECONDS = 100;

type DevFile = { url: string; owner: string; admin: string; member: string };

export default async function gateway(): Promise<() => Promise<void>> {
  const data = await mkdtemp(join(tmpdir(), "proliferate-e2e-"));
  await mkdir(OUTPUT, { recursive: true });
  const oidc = await new Oidc().open();
  const outside = `127.0.0.1:${await freePort()}`;
  const policyDirectory = await policy(data);
  const target = process.env.CARGO_TARGET_DIR ?? "../target";
  const binary = resolve(target, process.env.E2E_PROFILE ?? "debug", "proliferate");
  const child = spawn(
    binary,
    ["dev", "--demo", "--listen", process.env.E2E_LISTEN ?? "127.0.0.1:0", "--data-dir", data],
    {
      stdio: ["ignore", "pipe", "pipe"],
      // The weaker sandboxes work wherever tests do, and change no network under the browser.
      env: {
        ...process.env,
        ANTHROPIC_API_KEY: "",
        PROLIFERATE_SANDBOX_PROVIDER: "rootless",
        PROLIFERATE_POLICY_DIRECTORY: policyDirectory,
        PROLIFERATE_OIDC_ISSUER: oidc.url,
        PROLIFERATE_OIDC_CLIENT_ID: CLIENT.id,
        PROLIFERATE_OIDC_CLIENT_SECRET: CLIENT.secret,
        PROLIFERATE_OIDC_ALLOWED_DOMAINS: "acme.example",
        PROLIFERATE_OIDC_ORGANIZATION: ORGANIZATION,
        PROLIFERATE_OIDC_PROVIDERS_FILE: await providers(data, oidc.url),
        PROLIFERATE_EGRESS_ALLOW: `${new URL(oidc.url).host},${outside}`,
      },
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
    process.env.E2E_GATEWAY = JSON.stringify({ ...dev, link, outside, policyDirectory });
  } catch (error) {
    await stopped(child);
    throw error;
  }
  return async () => {
    await stopped(child);
    await oidc.close();
    await rm(data, { recursive: true, force: true });
  };
}

/** One without a listener yet: tests add it, see `outside.ts`. Below those that systems assign to clients. */
async function freePort(): Promise<number> {
  const port = 20_000 + Math.floor(Math.random() * 10_000);
  const isFree = await new Promise<boolean>((answer) => {
    const server = createServer().once("error", () => answer(false));
    server.listen(port, "127.0.0.1", () => server.close(() => answer(true)));
  });
  return isFree ? port : freePort();
}

/** A second client of the same identity provider: its groups decide about roles. */
async function providers(data: string, issuer: string): Promise<string> {
  const file = join(data, "providers.toml");
  const provider = `[[provider]]
name = "staff"
label = "Acme staff"
issuer = "${issuer}"
client_id = "e2e-staff"
domains = [{ domain = "staff.example", organization = "${ORGANIZATION}" }]
roles = { "/admins" = "admin" }
`;
  await writeFile(file, provider);
  return file;
}

/** The built-in policy, with less time to decide. */
async function policy(data: string): Promise<string> {
  const directory = join(data, "policy");
  await cp("../policy", directory, { recursive: true });
  const lanes = join(directory, "lanes.yaml");
  const text = await readFile(lanes, "utf8");
  await writeFile(
    lanes,
    text.replaceAll(/^ {4}audit:/gm, `    approval_seconds: ${APPROVAL_SECONDS}\n    audit:`),
  );
  return directory;
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

/** First with SIGTERM, so that sandboxes are saved; then with SIGKILL. */
async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const gone = new Promise((done) => child.once("exit", done));
  child.kill("SIGTERM");
  const late = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
  await gone;
  clearTimeout(late);
}
