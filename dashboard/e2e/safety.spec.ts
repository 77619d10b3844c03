// The safety lock: everything stops, two admins lift one lane, and everything goes on.
import type { Page } from "@playwright/test";
import { pictured, violations } from "./support/looks";
import { api, expect, test } from "./support/people";

const LANE = "TOOL_INTERVIEW_CAPTURE";
const CASE = "CASE-LOCKED";
const MEETING = "MEETING-LOCKED";
const WHY = "an agent writes where it should not";

/** A call in the lane, as the owner; it throws what the policy says against it. */
async function call(): Promise<{ outcome: string }> {
  const run = await api<{ run_id: string }>("POST", "/v1/runs", { run_kind: "agent" });
  return api("POST", "/v1/tool-calls", {
    tool_name: "dictation.start",
    operation: "dictation.start",
    lane_id: LANE,
    parent_run_id: run.run_id,
    case_id: CASE,
    scope: { client_session_id: MEETING },
  });
}

async function turn(page: Page, button: string, verb: string, reason: string): Promise<void> {
  await page.getByRole("button", { name: button }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Reason").fill(reason);
  await dialog.getByRole("button", { name: verb }).click();
  await expect(dialog).toHaveCount(0);
}

const tickets = (page: Page) =>
  page.getByRole("list", { name: "Tickets that wait or count" }).getByRole("listitem");
const banner = (page: Page) => page.getByRole("status").filter({ hasText: "The safety lock is on" });

// Other tests use the same organization.
test.afterEach(async () => {
  await api("POST", "/v1/safety-lock/release", { reason: "the test is over" }).catch(() => {});
});

test("a lock stops every call, two admins lift a lane, and it is released", async ({ open }) => {
  await api("POST", "/v1/cases", { id: CASE });
  await api("POST", `/v1/cases/${CASE}/client-sessions`, { id: MEETING });
  expect(await call()).toMatchObject({ outcome: "success" });
  const owner = await open("owner");
  await owner.goto("/policy?tab=lock");

  await test.step("engage it", async () => {
    await owner.getByRole("button", { name: "Engage it…" }).click();
    const dialog = owner.getByRole("dialog", { name: "Engage the safety lock?" });
    await expect(dialog).toContainText("Every call of the organization is denied");
    await dialog.getByRole("button", { name: "Stop every call" }).click();
    await expect(dialog.getByLabel("Reason")).toHaveAttribute("aria-invalid", "true");
    expect(await violations(owner, "engaging the lock")).toEqual([]);
    await dialog.getByLabel("Reason").fill(WHY);
    await dialog.getByLabel("Reason").press("Enter");
    await expect(owner.getByRole("tab", { name: "Safety lock (on)" })).toBeVisible();
    await expect(owner.getByText(WHY)).toBeVisible();
    await expect(call()).rejects.toThrow("safety_lock");
  });

  await test.step("a member sees it where calls are watched, and cannot release it", async () => {
    const { items } = await api<{ items: { id: string }[] }>("GET", "/v1/sessions");
    const member = await open("member");
    await member.goto(`/sessions/${items[0]?.id}`);
    await expect(banner(member)).toContainText("every call is denied");
    await member.goto("/approvals");
    await expect(banner(member)).toBeVisible();
    expect(await pictured(member, "approvals-locked")).toEqual([]);
    await banner(member).getByRole("link", { name: "See the lock" }).click();
    await expect(member.getByText(WHY)).toBeVisible();
    await expect(member.getByText("is for admins and owners")).toBeVisible();
    await expect(member.getByRole("button", { name: /Engage it|Release it/ })).toHaveCount(0);
  });

  await test.step("one admin asks, and is not the one who approves", async () => {
    await owner.getByRole("button", { name: "Ask for an override…" }).click();
    const dialog = owner.getByRole("dialog", { name: "Ask for an override" });
    await dialog.getByLabel("Lane").selectOption(LANE);
    await dialog.getByLabel("Minutes").fill("5");
    await dialog.getByLabel("Reason").fill("the hearing is at noon");
    expect(await violations(owner, "asking for an override")).toEqual([]);
    await dialog.getByRole("button", { name: "Ask for it" }).click();
    await expect(tickets(owner)).toHaveCount(1);
    await expect(tickets(owner)).toContainText("another admin has to approve it");
    await expect(tickets(owner).getByRole("button", { name: "Approve it" })).toHaveCount(0);
  });

  await test.step("another does, on a phone, and lifts the lane", async () => {
    const phone = await open("admin", {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    await phone.goto("/policy?tab=lock");
    await expect(tickets(phone)).toContainText("the hearing is at noon");
    await tickets(phone).getByRole("button", { name: "Approve it" }).press("Enter");
    await expect(tickets(phone)).toContainText("Approved");
    await expect(call()).rejects.toThrow("safety_lock");
    await tickets(phone).getByRole("button", { name: "Lift the lane…" }).press("Enter");
    const dialog = phone.getByRole("dialog");
    await dialog.getByLabel("Reason").fill("now");
    await dialog.getByLabel("Reason").press("Enter");
    await expect(dialog).toHaveCount(0);
    await expect(tickets(phone)).toContainText("Lifted");
    await phone.screenshot({ path: "e2e/output/screens/safety-lock-phone.png" });
    const width = await phone.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(390);
    expect(await call()).toMatchObject({ outcome: "success" });
  });

  await test.step("it is ended, and the lock with it", async () => {
    await expect(tickets(owner)).toContainText("Lifted");
    expect(await pictured(owner, "safety-lock")).toEqual([]);
    await turn(owner, "End it…", "Lock it again", "done");
    const past = owner.getByRole("table", { name: "Tickets that are over" });
    await expect(past.getByRole("row").filter({ hasText: LANE })).toContainText("Ended");
    await expect(call()).rejects.toThrow("safety_lock");
    await turn(owner, "Release it…", "Let calls pass", "its token was revoked");
    await expect(owner.getByRole("button", { name: "Engage it…" })).toBeVisible();
    expect(await call()).toMatchObject({ outcome: "success" });
    await owner.goto("/approvals");
    await expect(owner.getByRole("heading", { name: "Approvals", level: 1 })).toBeVisible();
    await expect(banner(owner)).toHaveCount(0);
  });
});
