// The inbox on a phone.
import type { Page } from "@playwright/test";
import { askForIssue, newSession, tell } from "./support/agent";
import { expect, test } from "./support/people";

/** What the browser would show of notifications. */
type Shown = { title: string; body: string };
const shown = (page: Page) => page.evaluate(() => (window as unknown as { shown: Shown[] }).shown);

async function collectNotifications(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shown: Shown[] = [];
    class Collected {
      static permission = "granted";
      static requestPermission = () => Promise.resolve("granted");
      onclick: (() => void) | null = null;
      constructor(title: string, { body }: { body: string }) {
        shown.push({ title, body });
      }
    }
    Object.assign(window, { shown, Notification: Collected });
  });
}

test("a call that begins to wait is announced at once: to the inbox, the badge, and by the browser", async ({
  open,
}) => {
  const page = await open("admin");
  await collectNotifications(page);
  const asked: number[] = [];
  page.on("request", (request) => {
    if (new URL(request.url()).pathname === "/v1/actions") asked.push(Date.now());
  });
  await page.goto("/approvals");
  await page.getByRole("button", { name: /Notify me/ }).click();
  // With a news stream no page polls every few seconds.
  await expect.poll(() => asked.length > 0 && Date.now() - (asked.at(-1) ?? 0)).toBeGreaterThan(7_000);

  const id = await newSession("Told at once");
  await tell(id, askForIssue("Told at once"));
  const call = page.getByRole("list", { name: "Calls that wait" }).getByRole("listitem");
  await expect(call.filter({ hasText: "Told at once" })).toHaveCount(1);
  await expect(page.getByRole("link", { name: /Approvals \d+ waiting/ })).toBeVisible();
  await expect
    .poll(() => shown(page))
    .toContainEqual({
      title: "An agent asks for a decision",
      body: "create_issue in Told at once",
    });
  // It is not decided: `watch.spec.ts` sees it expire.
});

test("a call is decided on a phone, and is in the history", async ({ open }) => {
  const id = await newSession("From a phone");
  const phone = await open("admin", {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  await phone
    .getByRole("navigation", { name: "Quick" })
    .getByRole("link", { name: /Approvals/ })
    .click();
  await tell(id, [askForIssue("On the way"), askForIssue("On the way again")].join("\n"));
  const calls = phone.getByRole("list", { name: "Calls that wait" }).getByRole("listitem");
  const call = calls.filter({ hasText: "On the way" });
  await expect(call).toHaveCount(1);
  await expect(call).toContainText("From a phone");
  await phone.screenshot({ path: "e2e/output/screens/inbox-phone.png" });
  await call.getByRole("button", { name: "Approve once" }).click();

  const next = calls.filter({ hasText: "On the way again" });
  await expect(next).toHaveCount(1);
  await next.getByLabel("Choose create_issue").check();
  await phone.getByRole("button", { name: "Deny 1…" }).click();
  await phone.getByRole("dialog").getByLabel("Reason").fill("Not on a phone");
  // By its key: a page that moved under a keyboard of glass is clicked beside the button now and then.
  await phone.getByRole("button", { name: "Deny them" }).press("Enter");
  await expect(phone.getByRole("dialog")).toHaveCount(0);
  await expect(next).toHaveCount(0);

  await phone.getByRole("tab", { name: "History" }).click();
  await expect(
    phone.getByRole("row").filter({ hasText: "create_issue" }).filter({ hasText: "Denied" }),
  ).not.toHaveCount(0);
  const isTooWide = await phone.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  expect(isTooWide).toBe(false);
});
