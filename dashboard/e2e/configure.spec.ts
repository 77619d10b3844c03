// What sessions start from: a configuration with its snapshots, and secrets of which the narrowest counts.
import type { Page } from "@playwright/test";
import { bash, newSession, tell } from "./support/agent";
import { pictured } from "./support/looks";
import { api, expect, test } from "./support/people";

const row = (page: Page, table: string, text: string) =>
  page.getByRole("table", { name: table }).getByRole("row").filter({ hasText: text });

async function addRepo(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Add a repository" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a repository" });
  await dialog.getByRole("button", { name: "Add it" }).click();
  await expect(dialog.getByText("Say where git clones it from.")).toBeVisible();
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel("Address").fill(`https://git.example.com/${name}.git`);
  await dialog.getByRole("button", { name: "Add it" }).click();
  await expect(dialog).toHaveCount(0);
}

test("a configuration is put together, and changed", async ({ open }) => {
  const page = await open("admin");
  await page.goto("/configurations");
  await addRepo(page, "acme/shop");
  await addRepo(page, "acme/design");
  await row(page, "Repositories", "acme/shop").getByRole("button", { name: "Change" }).click();
  const shop = page.getByRole("dialog", { name: "Change acme/shop" });
  await shop.getByLabel("Agents may push").selectOption({ label: "any branch but the default one" });
  expect(await pictured(page, "repository")).toEqual([]);
  await shop.getByRole("button", { name: "Save" }).click();
  await expect(row(page, "Repositories", "acme/shop")).toContainText("any branch but the default one");
  await expect(row(page, "Repositories", "acme/design")).toContainText("nothing");
  await page.getByRole("link", { name: "New configuration" }).first().click();
  await page.getByRole("button", { name: "Create it" }).click();
  await expect(page.getByText("Give it a name.")).toBeVisible();
  await page.getByLabel("Name", { exact: true }).fill("Shop");
  await page.getByLabel("Notes").fill("The shop, with its database beside it.");
  await page.getByLabel("Budget of each session").fill("2.50");
  await page.getByLabel("acme/shop").check();
  await page.getByLabel("acme/design").check();
  const services = page.getByRole("group", { name: "Services that run in the sandbox" });
  for (const [at, name, command] of [
    [0, "web", "npm run dev"],
    [1, "database", "docker compose up db"],
  ] as const) {
    await services.getByRole("button", { name: "Add a service" }).click();
    await services.getByLabel("Name").nth(at).fill(name);
    await services.getByLabel("Command").nth(at).fill(command);
  }
  await services.getByLabel("Folder").first().fill("shop");
  const files = page.getByRole("group", { name: "Env files" });
  await files.getByRole("button", { name: "Add an env file" }).click();
  await files.getByLabel("File", { exact: true }).fill(".env.local");
  await files.getByLabel("Keys it cannot do without").fill("DATABASE_URL, STRIPE_KEY");
  await files.getByLabel("Keys it can do without").fill("SENTRY_DSN");
  await services.scrollIntoViewIfNeeded();
  expect(await pictured(page, "configuration-new")).toEqual([]);
  await page.getByRole("button", { name: "Create it" }).click();

  await expect(page.getByRole("heading", { name: "Shop", level: 1 })).toBeVisible();
  await expect(page.getByText("$2.50 for each session")).toBeVisible();
  await expect(services.getByLabel("Command").nth(1)).toHaveValue("docker compose up db");
  await services.getByRole("button", { name: "Take service 2 away" }).click();
  await page.getByLabel("acme/design").uncheck();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(
    page.getByText("Sessions that begin from now on start from it.", { exact: true }),
  ).toBeVisible();
  await page.getByRole("link", { name: "Back" }).click();
  await expect(row(page, "Configurations", "Shop")).toContainText("1 repository, 1 service, 1 env file");
  await expect(row(page, "Repositories", "acme/design")).toBeVisible();
  expect(await pictured(page, "configurations-filled")).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  const remove = row(page, "Repositories", "acme/design").getByRole("button", { name: "Remove…" });
  await expect(remove).toBeInViewport({ ratio: 0.99 });
});

test("snapshots of a configuration grow from each other, and one is its start", async ({ open }) => {
  const { id } = await api<{ id: string }>("POST", "/v1/configurations", { name: "Prepared" });
  const page = await open("admin");
  await page.goto(`/configurations/${id}`);
  const snapshots = page.getByRole("list", { name: "Snapshots" }).getByRole("listitem");
  // The second begins with what the first saved.
  for (const [at, title] of ["Preparing", "Preparing more"].entries()) {
    const session = await newSession(title, { sessionType: "setup", configurationId: id });
    await tell(session, `${bash(`seq 100000 > numbers-${at}`)}\nCALL save_snapshot {"message": "Numbers"}`);
    await expect(async () => {
      await page.reload();
      await expect(snapshots).toHaveCount(at + 1, { timeout: 2_000 });
    }).toPass({ timeout: 60_000 });
  }
  const start = snapshots.filter({ hasText: "Start of its configuration" });
  await expect(start).toHaveCount(1);
  await expect(start).toContainText("on top of 1 other");
  await expect(snapshots.filter({ hasText: "on top of" })).toHaveCount(1);
  await expect(start).toContainText(/\d (KB|MB),/);
  expect(await pictured(page, "configuration-snapshots")).toEqual([]);

  const other = snapshots.first();
  await other.getByRole("button", { name: "Make it the start…" }).click();
  const confirm = page.getByRole("dialog", { name: "Make this snapshot the start?" });
  await expect(confirm).toContainText("Sessions that are going on keep what they have.");
  await confirm.getByRole("button", { name: "Make it the start" }).click();
  await expect(other).toContainText("Start of its configuration");
  await page.getByRole("button", { name: "Begin without the snapshot…" }).click();
  await page.getByRole("button", { name: "Begin without it" }).click();
  await expect(page.getByText("none: sessions begin with fresh clones")).toBeVisible();
  await expect(snapshots).toHaveCount(2);
});

test("of secrets with one name the narrowest counts, and no value ever comes back", async ({ open }) => {
  const { id: repo } = await api<{ id: string }>("POST", "/v1/repos", {
    name: "acme/keys",
    source: "git",
    url: "https://git.example.com/keys.git",
  });
  await api("POST", "/v1/configurations", { name: "Keys", repoIds: [repo] });
  const page = await open("admin");
  const answers: Promise<string>[] = [];
  page.on("response", (response) => {
    if (response.url().includes("/v1/secrets")) answers.push(response.text().catch(() => ""));
  });
  await page.goto("/secrets");
  for (const [scope, value] of [
    ["The whole organization", "hush-organization"],
    ["Repository acme/keys", "hush-repository"],
    ["Configuration Keys", "hush-configuration"],
  ] as const) {
    await page.getByRole("button", { name: "Add a secret" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Add a secret" });
    await dialog.getByLabel("Where it counts").selectOption({ label: scope });
    await dialog.getByLabel("Name").fill("API_TOKEN");
    await dialog.getByLabel("Value").fill(value);
    await dialog.getByRole("button", { name: "Store the secret" }).click();
    await expect(dialog).toHaveCount(0);
  }
  const secret = (scope: string) => page.getByRole("row", { name: new RegExp(`^API_TOKEN ${scope}`) });
  await expect(secret("Organization")).toContainText("Repository acme/keys");
  await expect(secret("Configuration Keys")).toBeVisible();
  await expect(secret("Configuration Keys")).not.toContainText("overridden");
  const wide = page.viewportSize() ?? { width: 1280, height: 720 };
  await page.setViewportSize({ width: 390, height: 844 });
  const phone = secret("Organization");
  await expect(phone.getByText("overridden by")).toBeVisible();
  await expect(phone.getByText("Configuration Keys")).toBeVisible();
  expect(await pictured(page, "secrets-phone")).toEqual([]);
  await page.setViewportSize(wide);

  await page.getByRole("button", { name: "Import a .env file" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Where it counts").selectOption({ label: "Repository acme/keys" });
  await dialog.getByLabel("Its text").fill("API_TOKEN=hush-again\nexport MODE='hush-mode' # quoted");
  await dialog.getByRole("button", { name: "Import" }).click();
  await expect(dialog).toContainText("New: MODE");
  await expect(dialog).toContainText("Left as they were: API_TOKEN");
  await dialog.getByRole("button", { name: "Done" }).click();

  await row(page, "Secrets", "MODE").getByRole("button", { name: "Replace" }).click();
  await dialog.getByLabel("New value").fill("hush-changed");
  await dialog.getByLabel("What it is for").fill("How the shop is run");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(row(page, "Secrets", "MODE")).toContainText("How the shop is run");
  expect(await pictured(page, "secrets-filled")).toEqual([]);

  await secret("Configuration Keys").getByRole("button", { name: "Delete…" }).click();
  await expect(dialog).toContainText("Delete API_TOKEN of the configuration Keys?");
  await expect(dialog).toContainText("the one of the");
  expect(await pictured(page, "secret-delete")).toEqual([]);
  await dialog.getByRole("button", { name: "Delete it" }).click();
  await expect(secret("Configuration Keys")).toHaveCount(0);
  expect(await page.content()).not.toContain("hush-");
  expect((await Promise.all(answers)).join("\n")).not.toContain("hush-");
});
