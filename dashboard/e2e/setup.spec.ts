// The first organization: `serve` on an empty database prints a link, and the page behind it leads to a first session.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "@playwright/test";

const target = process.env.CARGO_TARGET_DIR ?? "../target";
const binary = resolve(target, process.env.E2E_PROFILE ?? "debug", "proliferate");
const SECRET = "0123456789abcdef".repeat(4);

let data: string;
let child: ChildProcess;
let link: string;
let environment: NodeJS.ProcessEnv;

test.beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), "proliferate-setup-"));
  environment = {
    ...process.env,
    ANTHROPIC_API_KEY: "",
    PROLIFERATE_MODEL_SCRIPTED: "on",
    PROLIFERATE_SANDBOX_PROVIDER: "rootless",
    PROLIFERATE_USER_TOKEN_SECRET: `user-${SECRET}`,
    PROLIFERATE_SERVICE_TOKEN_SECRET: `service-${SECRET}`,
    PROLIFERATE_SANDBOX_TOKEN_SECRET: `sandbox-${SECRET}`,
    PROLIFERATE_ENCRYPTION_KEYS: `1:${SECRET}`,
  };
  execFileSync(binary, ["migrate", "--data-dir", data], { env: environment });
  child = spawn(binary, ["serve", "--with-worker", "--listen", "127.0.0.1:0", "--data-dir", data], {
    stdio: ["ignore", "ignore", "pipe"],
    env: environment,
  });
  link = await new Promise((found, failed) => {
    let said = "";
    child.stderr?.on("data", (piece) => {
      said += String(piece);
      const printed = /http\S+\/setup\?code=\S+/.exec(said)?.[0];
      if (printed) found(printed);
    });
    child.once("exit", () => failed(new Error(`the gateway ended: ${said}`)));
  });
});

test.afterAll(async () => {
  if (child?.exitCode === null) {
    const gone = new Promise((done) => child.once("exit", done));
    child.kill("SIGTERM");
    await gone;
  }
  await rm(data, { recursive: true, force: true });
});

test("the setup link leads from an empty database to a first session", async ({ page }) => {
  const url = new URL(link).origin;
  await page.goto(`${url}/login`);
  await expect(page.getByText("This installation has no organization yet.")).toBeVisible();

  await page.goto(link);
  await page.getByRole("button", { name: "Make the organization" }).click();
  await expect(page.getByText("Name the organization.")).toBeVisible();
  await page.getByLabel("Organization", { exact: true }).fill("Acme");
  await page.getByLabel("Your name").fill("Ada Lovelace");
  await page.getByLabel("Your mail address").fill("ada@example.com");
  await page.screenshot({ path: "e2e/output/setup-1.png", fullPage: true });
  await page.getByRole("button", { name: "Make the organization" }).click();

  await expect(page.getByRole("heading", { name: "What it stands on" })).toBeVisible();
  const checks = page.getByRole("list", { name: "Checks" });
  await expect(checks.getByText("database", { exact: true })).toBeVisible();
  await expect(checks.getByText("In order").first()).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.screenshot({ path: "e2e/output/setup-2.png", fullPage: true });
  await page.reload();
  await expect(checks.getByText("database", { exact: true })).toBeVisible();
  await page.setViewportSize({ width: 1360, height: 860 });

  // The link is used up.
  const other = await page.context().newPage();
  await other.goto(link);
  await expect(other.getByText("This link cannot be used.")).toBeVisible();
  await other.close();

  await page.getByRole("button", { name: "Go on to the repository" }).click();
  await page.getByLabel("Address").fill("http://127.0.0.1:1/acme/shop.git");
  await page.screenshot({ path: "e2e/output/setup-3.png", fullPage: true });
  await page.getByRole("button", { name: "Begin the setup session" }).click();
  await expect(page.getByRole("heading", { name: "The first task" })).toBeVisible();
  await page.screenshot({ path: "e2e/output/setup-4.png", fullPage: true });
  await page.reload();
  await page.getByLabel("What should the agent do?").fill("Explain how this repository is built.");
  await page.getByRole("button", { name: "Begin the first task" }).click();
  await expect(page).toHaveURL(/\/sessions\/[0-9a-f-]{36}/);
  await page.goto(`${url}/sessions`);
  await expect(page.getByText("Set up acme/shop")).toBeVisible();

  // Suspended by another operator, each page says so; then it is deleted and taken back.
  const org = (...args: string[]) =>
    execFileSync(binary, ["org", ...args, "--data-dir", data], { env: environment, stdio: "pipe" });
  org("suspend", "acme", "--reason", "the invoice of May is open");
  await page.goto(`${url}/settings?tab=organization`);
  await expect(page.getByText("The organization is suspended: the invoice of May is open.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Delete the organization" })).toBeDisabled();
  await page.screenshot({ path: "e2e/output/setup-5.png", fullPage: true });
  org("resume", "acme");
  await page.reload();
  await page.getByRole("button", { name: "Delete the organization" }).click();
  await page.getByRole("button", { name: "Delete it" }).click();
  await expect(page.getByRole("alert")).toContainText("must be the name of the organization");
  await page.getByLabel("Type the name of the organization: Acme").fill("Acme");
  await page.getByRole("button", { name: "Delete it" }).click();
  await page.getByRole("button", { name: "Take the deletion back" }).click();
  await expect(page.getByRole("button", { name: "Delete the organization" })).toBeEnabled();

  await page.goto(`${url}/organizations`);
  await expect(page.getByRole("table", { name: "Organizations" })).toContainText("Acme");
  await page.screenshot({ path: "e2e/output/setup-6.png", fullPage: true });
});
