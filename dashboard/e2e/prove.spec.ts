// What can be proven without believing the gateway, what a connector's trial says, and what admins set.
import { generateKeyPairSync } from "node:crypto";
import { pictured } from "./support/looks";
import { api, dev, expect, test } from "./support/people";

/** A checkpoint is signed within a minute of an event. */
const SIGNED_MS = 150_000;

async function bundleOf(session: string): Promise<string> {
  let bundle = "";
  const ask = async () => {
    const response = await fetch(`${dev().url}/v1/audit/bundle?session=${session}`, {
      headers: { Authorization: `Bearer ${dev().owner}` },
    });
    bundle = response.ok ? await response.text() : "";
    return bundle.includes('"event"');
  };
  await expect.poll(ask, { timeout: SIGNED_MS, intervals: [2_000] }).toBe(true);
  return bundle;
}

test("a bundle is verified in the browser: green, and red once it was changed", async ({ open }) => {
  const { items } = await api<{ items: { id: string; title: string }[] }>("GET", "/v1/sessions");
  const session = items.find(({ title }) => title.startsWith("Demo"))?.id ?? "";
  const bundle = await bundleOf(session);
  const page = await open("owner");
  await page.goto("/audit/verify");
  const verify = async (text: string) => {
    await page
      .getByLabel("Bundle file")
      .setInputFiles({ name: "bundle.jsonl", mimeType: "application/jsonl", buffer: Buffer.from(text) });
    await page.getByRole("button", { name: "Verify", exact: true }).click();
  };
  await verify(bundle);
  await expect(page.getByText("This trail is whole")).toBeVisible();
  await page.screenshot({ path: "e2e/output/screens/audit-good.png" });

  const record = bundle.split("\n").findIndex((line) => line.includes('"event"'));
  const lines = bundle.split("\n");
  const event = /"event_id":"([^"]+)"/.exec(lines[record] ?? "")?.[1] ?? "no event";
  const changed = lines.with(record, (lines[record] ?? "").replace('"actor_id":"', '"actor_id":"x'));
  await verify(changed.join("\n"));
  await expect(page.getByRole("alert")).toContainText("This bundle is not what was signed.");
  await expect(page.getByRole("alert")).toContainText(event);
  await page.screenshot({ path: "e2e/output/screens/audit-bad.png" });
});

test("trying a connector out says what is wrong with it, at the field it is wrong in", async ({ open }) => {
  const { items } = await api<{ items: { name: string; url: string }[] }>("GET", "/v1/connectors");
  const board = items.find(({ name }) => name === "Demo board")?.url ?? "";
  const page = await open("admin");
  await page.goto("/connectors/new?preset=custom");
  const tried = async (url: string, auth = "none") => {
    await page.getByLabel("Name", { exact: true }).fill("Tried out");
    await page.getByLabel("Address").fill(url);
    await page.getByLabel("How it knows us").selectOption(auth);
    await page.getByRole("button", { name: "Try it out" }).click();
  };
  await tried(board);
  await expect(page.getByText(/It works, with \d+ tools/)).toBeVisible();
  await tried("https://mcp.invalid/mcp");
  await expect(page.getByText("It does not work: unreachable.")).toBeVisible();
  await expect(page.getByLabel("Address")).toHaveAttribute("aria-invalid", "true");
  await tried(board.replace("/mcp", "/nothing-here"));
  await expect(page.getByText("It does not work: protocol.")).toBeVisible();
  await tried(board, "bearer");
  await page.getByLabel("Secret", { exact: true }).fill("NOT_STORED");
  await page.getByRole("button", { name: "Try it out" }).click();
  await expect(page.getByText("It does not work: auth.")).toBeVisible();
  await expect(page.getByLabel("Secret", { exact: true })).toHaveAttribute("aria-invalid", "true");

  const member = await open("member");
  await member.goto("/connectors/new");
  await expect(member.getByRole("button", { name: "Try it out" })).toBeDisabled();
});

test("GitHub is connected by an app of one's own, whose key is never shown again", async ({ open }) => {
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
    publicKeyEncoding: { type: "pkcs1", format: "pem" },
  });
  const page = await open("admin");
  await page.goto("/connectors");
  await page.getByRole("button", { name: "Connect GitHub" }).click();
  const dialog = page.getByRole("dialog", { name: "Connect GitHub" });
  await dialog.getByRole("button", { name: "Use a GitHub App instead" }).click();
  await dialog.getByLabel("App ID").fill("123456");
  await dialog.getByLabel("Installation ID").fill("4711");
  await dialog.getByLabel("Name").fill("The shop's app");
  await dialog.getByLabel("Private key", { exact: true }).fill("no key");
  await dialog.getByRole("button", { name: "Connect the app" }).click();
  await expect(dialog.getByText("The whole file")).toBeVisible();
  await dialog
    .getByLabel("Private key file")
    .setInputFiles({ name: "app.pem", mimeType: "application/x-pem-file", buffer: Buffer.from(privateKey) });
  await expect(dialog.getByText("The key of app.pem is taken.")).toBeVisible();
  expect(await pictured(page, "github-app")).toEqual([]);
  await dialog.getByRole("button", { name: "Connect the app" }).click();
  const github = page.getByRole("region", { name: "GitHub" });
  await expect(github).toContainText("The shop's app");
  await expect(github).toContainText("by a GitHub App");
  const kept = await api<{ items: unknown[] }>("GET", "/v1/integrations");
  const [, line = "no line"] = privateKey.split("\n");
  expect(JSON.stringify(kept)).not.toContain(line);
  expect(await page.content()).not.toContain(line);

  const member = await open("member");
  await member.goto("/connectors");
  await expect(member.getByRole("button", { name: "Connect GitHub" })).toBeDisabled();
});

test("an admin sets what sessions may spend, and a member looks", async ({ open }) => {
  const page = await open("admin");
  await page.goto("/settings?tab=budget");
  await page.getByLabel("Dollars").fill("2.50");
  await page.getByRole("button", { name: "Set the budget" }).click();
  await expect(page.getByText("as set here")).toBeVisible();
  await expect(page.getByText("$2.50")).toBeVisible();
  expect(await api("GET", "/v1/organization/budget")).toMatchObject({ budgetMicroUsd: 2_500_000 });
  const member = await open("member");
  await member.goto("/settings?tab=budget");
  await expect(member.getByText("$2.50")).toBeVisible();
  await expect(member.getByRole("button", { name: "Set the budget" })).toBeDisabled();
  await page.getByLabel("Dollars").fill("");
  await page.getByRole("button", { name: "Set the budget" }).click();
  await expect(page.getByText("by the gateway's setting")).toBeVisible();
});
