// Every screen in both themes: a picture to look at, and what axe finds.
import type { Page } from "@playwright/test";
import { pictured, violations } from "./support/looks";
import { api, expect, test } from "./support/people";

const SCREENS = [
  "sessions",
  "sessions/new",
  "approvals",
  "approvals?tab=history",
  "grants",
  "grants?tab=requests",
  "connectors",
  "configurations",
  "secrets",
  "automations",
  "policy",
  "policy?tab=lock",
  "audit",
  "fleet",
  "organizations",
  "settings",
  "settings?tab=budget",
  "settings?tab=organization",
];

test("no screen has a serious violation, in light or in dark", async ({ open }) => {
  const page = await open("owner");
  const { items } = await api<{ items: { id: string; title: string }[] }>("GET", "/v1/sessions");
  const demo = items.find(({ title }) => title.startsWith("Demo"));
  const found: string[] = [];
  for (const screen of [...SCREENS, `sessions/${demo?.id}`, "login"]) {
    await page.goto(`/${screen}`);
    await page.getByRole("heading", { level: 1 }).first().waitFor();
    await expect(page.getByRole("status").filter({ hasText: "…" })).toHaveCount(0);
    const name =
      screen.startsWith("sessions/") && screen !== "sessions/new" ? "session" : screen.replace(/\W/g, "-");
    found.push(...(await pictured(page, name)));
  }
  expect(found).toEqual([]);
});

test("a phone has every place, and no screen is too wide for it", async ({ open }) => {
  const page = await open("owner", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  for (const screen of SCREENS) {
    await page.goto(`/${screen}`);
    await page.getByRole("heading", { level: 1 }).first().waitFor();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect.soft(width, screen).toBeLessThanOrEqual(390);
    await page.screenshot({ path: `e2e/output/screens/${screen.replace(/\W/g, "-")}-phone.png` });
  }
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("dialog").getByRole("link", { name: "Audit" }).click();
  await expect(page.getByRole("heading", { name: "Audit", level: 1 })).toBeVisible();
});

test("the list of sessions names who made them", async ({ open }) => {
  for (const [person, name] of [
    ["owner", "you"],
    ["admin", "Demo owner"],
  ] as const) {
    const page = await open(person);
    await page.goto("/sessions");
    await page.getByPlaceholder("Search titles").fill("Demo: a greeting");
    const demo = page.getByRole("row").filter({ hasText: "Demo: a greeting" }).first();
    await expect(demo.getByRole("cell", { name, exact: true })).toBeVisible();
  }
});

test("the fleet is offered to operators alone, and says why to others", async ({ open }) => {
  const places = (page: Page) => page.getByRole("navigation", { name: "Main" });
  const operator = await open("admin");
  await expect(places(operator).getByRole("link", { name: "Fleet" })).toBeVisible();
  const member = await open("member");
  await expect(places(member).getByRole("link", { name: "Settings" })).toBeVisible();
  await expect(places(member).getByRole("link", { name: "Fleet" })).toHaveCount(0);
  await member.goto("/fleet");
  await expect(member.getByText("The fleet is for operators of this installation.")).toBeVisible();
});

test("everything is reached by keyboard", async ({ open }) => {
  const page = await open("owner");
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Go to" });
  await expect(palette.getByRole("combobox")).toBeFocused();
  expect(await violations(page, "the palette")).toEqual([]);
  await page.keyboard.type("gran");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Grants", level: 1 })).toBeVisible();
  await page.getByRole("button", { name: "New grant" }).press("Enter");
  const form = page.getByRole("dialog", { name: "New grant" });
  await form.getByLabel("Service").selectOption({ label: "Demo board" });
  await form.getByLabel("Action").fill("create_issue");
  await expect(form.getByRole("region", { name: "Backtest" })).toContainText("would have allowed");
  expect(await violations(page, "a new grant")).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(form).toHaveCount(0);
  await page.keyboard.press("g");
  await page.keyboard.press("a");
  await expect(page.getByRole("heading", { name: "Approvals", level: 1 })).toBeVisible();
});
