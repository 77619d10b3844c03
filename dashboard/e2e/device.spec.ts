// A terminal that asks to act as a member: what the page says, and what each decision gives.
import { pictured } from "./support/looks";
import { dev, expect, test } from "./support/people";

type Started = { deviceCode: string; userCode: string; verificationUrl: string };
type Answered = { status: string; key?: string };

async function post<T>(path: string, body: unknown): Promise<T> {
  const headers = { "Content-Type": "application/json" };
  const response = await fetch(dev().url + path, { method: "POST", headers, body: JSON.stringify(body) });
  expect(response.ok).toBe(true);
  return (await response.json()) as T;
}

const start = (machine: string) => post<Started>("/v1/login/device", { machine });
const ask = ({ deviceCode }: Started) => post<Answered>("/v1/login/device/token", { deviceCode });

test("a terminal is approved with its code compared, and its key is listed", async ({ open, browser }) => {
  const started = await start("ada-laptop");
  // A link finds its page again after the login.
  const stranger = await browser.newPage();
  await stranger.goto(started.verificationUrl);
  await expect(stranger.getByRole("heading", { name: "Sign in to Proliferate" })).toBeVisible();
  await stranger.getByLabel("Token or API key").fill(dev().member);
  await stranger.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(stranger.getByText("A terminal on ada-laptop wants to act as you")).toBeVisible();
  await stranger.close();

  const page = await open("member");
  await page.goto("/device");
  await page.getByLabel("Code").fill("BCDF-GHJA");
  await page.getByRole("button", { name: "Go on" }).click();
  await expect(page.getByText("That is no code")).toBeVisible();
  await page.getByLabel("Code").fill(started.userCode.replace("-", "").toLowerCase());
  await page.getByRole("button", { name: "Go on" }).click();
  await expect(page.getByText("A terminal on ada-laptop wants to act as you")).toBeVisible();
  await expect(page.getByText(started.userCode)).toBeVisible();
  await expect(page.getByText("90 days, or until you revoke its key")).toBeVisible();
  const approve = page.getByRole("button", { name: "Approve" });
  await expect(approve).toBeDisabled();
  expect(await pictured(page, "device")).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(390);
  await page.screenshot({ path: "e2e/output/screens/device-phone.png", fullPage: true });
  await page.setViewportSize({ width: 1360, height: 860 });
  expect((await ask(started)).status).toBe("pending");
  await page.getByLabel("I started this terminal's login myself").check();
  await approve.click();
  await expect(page.getByText("ada-laptop acts as you from now on.")).toBeVisible();
  // As often as a terminal may ask.
  await page.waitForTimeout(5_100);
  const answered = await ask(started);
  expect(answered.status).toBe("approved");
  const headers = { Authorization: `Bearer ${answered.key}` };
  const me = await (await fetch(`${dev().url}/v1/me`, { headers })).json();
  expect(me.role).toBe("member");
  // What was decided is over, also after a reload.
  await page.reload();
  await expect(page.getByRole("alert")).toContainText("used");
  await page.goto("/settings?tab=keys");
  await expect(page.getByRole("row", { name: /ada-laptop/ })).toContainText("Ends in");
});

test("a terminal that was denied gets nothing", async ({ open }) => {
  const started = await start("unknown-machine");
  const page = await open("admin");
  await page.goto(`/device?code=${started.userCode}`);
  await page.getByRole("button", { name: "Deny" }).click();
  await expect(page.getByText("Denied. The terminal gets nothing.")).toBeVisible();
  expect((await ask(started)).status).toBe("denied");
});
