// Who sees a session, and a transcript by link.
import type { Page } from "@playwright/test";
import { bash, newSession, say, tell } from "./support/agent";
import { pictured } from "./support/looks";
import { api, dev, expect, pages, test } from "./support/people";
import { row } from "./support/shown";

const transcript = (page: Page) => page.getByRole("log", { name: "Transcript" });
const DIALOG = { name: "Share the session" };

test("a session is hidden from a member, shared with them by name, and hidden again", async ({ open }) => {
  const [owner, member] = [await open("owner"), await open("member")];
  const id = await newSession("For the owner alone");
  await member.goto(`/sessions/${id}`);
  await expect(member.getByRole("heading", { name: "For the owner alone" })).toBeVisible();

  await owner.goto(`/sessions/${id}`);
  const share = async () => {
    await owner.getByRole("button", { name: "Session actions" }).click();
    await owner.getByRole("menuitem", { name: "Share…" }).click();
    return owner.getByRole("dialog", DIALOG);
  };
  const dialog = await share();
  await dialog.getByRole("radio", { name: /^Private/ }).check();
  await dialog.getByRole("button", { name: "Save who sees it" }).click();
  await expect(owner.getByText("It counts at once.", { exact: true })).toBeVisible();
  await member.goto("/sessions");
  await expect(row(member, "Sessions", "For the owner alone")).toHaveCount(0);
  await member.goto(`/sessions/${id}`);
  await expect(member.getByRole("alert")).toBeVisible();

  await dialog.getByRole("radio", { name: /^Members by name/ }).check();
  const name = dialog.getByLabel("Name a member");
  const option = name.locator("option", { hasText: "Demo member" });
  await name.selectOption((await option.getAttribute("value")) ?? "");
  await dialog.getByLabel("What Demo member may do").selectOption("may steer it");
  expect(await pictured(owner, "share-dialog")).toEqual([]);
  await dialog.getByRole("button", { name: "Save who sees it" }).click();
  await member.goto("/sessions");
  await expect(row(member, "Sessions", "For the owner alone")).toContainText("By name");
  await member.goto(`/sessions/${id}`);
  await say(member, "SAY I may steer it.");
  await expect(transcript(member)).toContainText("[scripted] I may steer it.");

  await owner.reload();
  await share();
  await expect(dialog.getByLabel("What Demo member may do")).toHaveValue("steer");
  await dialog.getByRole("button", { name: "Remove Demo member" }).click();
  await dialog.getByRole("button", { name: "Save who sees it" }).click();
  // The page that is open loses it, without a reload.
  await expect(transcript(member)).toHaveCount(0);
});

test("a transcript is read by link, without an account, until the link is revoked", async ({
  open,
  browser,
}) => {
  const owner = await open("owner");
  const id = await newSession("A transcript to show", { envVars: { API_KEY: "hunter2-hunter2-hunter2" } });
  await owner.goto(`/sessions/${id}`);
  await tell(id, ["SAY Here it is.", bash("printenv API_KEY"), "SAY And it is done."].join("\n"));
  await expect(transcript(owner)).toContainText("[scripted] And it is done.");
  await owner.getByRole("button", { name: "Session actions" }).click();
  await owner.getByRole("menuitem", { name: "Share…" }).click();
  const dialog = owner.getByRole("dialog", DIALOG);
  await dialog.getByLabel("How long the link works").selectOption("1 day");
  await dialog.getByRole("button", { name: "Make a link" }).click();
  const url = (await dialog.getByRole("region", { name: "Share link", exact: true }).textContent()) ?? "";
  expect(url).toContain("/shared#shr_");

  const context = await browser.newContext({ baseURL: pages() });
  const reader = await context.newPage();
  const asked: string[] = [];
  reader.on("request", (request) => asked.push(`${request.url()} ${request.headers().referer ?? ""}`));
  const { pathname, hash } = new URL(url);
  await reader.goto(pathname + hash);
  await expect(reader.getByRole("heading", { name: "A transcript to show" })).toBeVisible();
  await expect(transcript(reader)).toContainText("[scripted] And it is done.");
  await reader.getByRole("button", { name: /printenv/ }).click();
  await expect(transcript(reader)).toContainText("[redacted]");
  await expect(reader.getByLabel("Message to the agent")).toHaveCount(0);
  expect(await reader.content()).not.toContain("hunter2");
  expect(asked.filter((one) => one.includes("shr_") && !one.includes("/shared#"))).toEqual([]);
  expect(await pictured(reader, "shared")).toEqual([]);
  await reader.setViewportSize({ width: 390, height: 844 });
  expect(await pictured(reader, "shared-phone")).toEqual([]);

  await dialog.getByRole("button", { name: "Revoke" }).click();
  await expect(dialog.getByText("Revoked", { exact: true })).toBeVisible();
  await reader.reload();
  await expect(reader.getByRole("alert")).toContainText("expired or been revoked");
  await context.close();
});

test("an admin switches links off, and the table says who may what", async ({ open }) => {
  const owner = await open("owner");
  await owner.goto("/settings?tab=sharing");
  await expect(owner.getByRole("table", { name: "Who may what" })).toContainText("a member named to steer");
  expect(await pictured(owner, "settings-sharing")).toEqual([]);
  await owner.getByRole("button", { name: "Switch share links off" }).click();
  await expect(owner.getByText("No link works.")).toBeVisible();
  const { shareLinks } = await api<{ shareLinks: boolean }>("GET", "/v1/organization/sharing");
  expect(shareLinks).toBe(false);
  await owner.getByRole("button", { name: "Allow share links" }).click();
  await expect(owner.getByRole("button", { name: "Switch share links off" })).toBeVisible();
  expect(dev().url).toBeTruthy();
});
