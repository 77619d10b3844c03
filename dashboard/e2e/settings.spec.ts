// What programs may do, and what users may: API keys and roles.
import type { Page } from "@playwright/test";
import { pictured } from "./support/looks";
import { dev, expect, test } from "./support/people";
import { row, shownOnce } from "./support/shown";

test("an API key is shown once, does what its maker may, and is revoked", async ({ open }) => {
  const page = await open("member");
  await page.goto("/settings?tab=keys");
  await page.getByRole("button", { name: "Make an API key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Make it" }).click();
  await expect(dialog.getByText("Say what it is for.")).toBeVisible();
  await dialog.getByLabel("What it is for").fill("The nightly report");
  await dialog.getByLabel("How long it lives").selectOption("A week");
  await dialog.getByRole("button", { name: "Make it" }).click();
  const key = await shownOnce(page, "Your new API key");
  expect(await pictured(page, "api-key-made")).toEqual([]);
  await dialog.getByRole("button", { name: "I have kept it" }).click();
  const used = async () => {
    const response = await fetch(`${dev().url}/v1/me`, { headers: { Authorization: `Bearer ${key}` } });
    return [response.status, (await response.json()).role];
  };
  expect(await used()).toEqual([200, "member"]);
  await page.reload();
  const kept = row(page, "API keys", "The nightly report");
  await expect(kept).toContainText("Ends in 7 days");
  expect(await page.content()).not.toContain(key);
  await kept.getByRole("button", { name: "Revoke…" }).click();
  await expect(dialog).toContainText("It cannot be made valid again.");
  await dialog.getByRole("button", { name: "Keep it" }).click();
  expect(await used()).toEqual([200, "member"]);
  await kept.getByRole("button", { name: "Revoke…" }).click();
  await dialog.getByRole("button", { name: "Revoke it" }).click();
  await expect(kept).toContainText("Revoked");
  await expect(kept.getByRole("button")).toHaveCount(0);
  expect((await used())[0]).toBe(401);
  expect(await pictured(page, "api-keys-filled")).toEqual([]);
});

test("a role is changed by who may, and counts at once", async ({ open }) => {
  const [owner, member] = [await open("owner"), await open("member")];
  const role = (page: Page, of: string) => page.getByLabel(`Role of ${of}`);
  const dialog = owner.getByRole("dialog");
  await owner.goto("/settings?tab=members");
  await member.goto("/settings?tab=webhooks");
  await expect(member.getByText("Webhooks are for admins and owners.")).toBeVisible();
  await role(owner, "Demo member").selectOption("admin");
  await expect(dialog).toContainText("Make Demo member an admin?");
  await expect(dialog).toContainText("They can decide about calls");
  await dialog.getByRole("button", { name: "Keep it" }).click();
  await expect(role(owner, "Demo member")).toHaveValue("member");
  await role(owner, "Demo member").selectOption("admin");
  await dialog.getByRole("button", { name: "Change it" }).click();
  await expect(role(owner, "Demo member")).toHaveValue("admin");
  await member.reload();
  await expect(member.getByRole("button", { name: "Add a webhook" })).toBeEnabled();
  await member.goto("/settings?tab=members");
  await expect(role(member, "Demo owner")).toBeDisabled();
  await role(owner, "Demo member").selectOption("member");
  await dialog.getByRole("button", { name: "Change it" }).click();
  await expect(role(owner, "Demo member")).toHaveValue("member");
  await expect(dialog).toHaveCount(0);
  // There has to be an owner who can appoint owners.
  await role(owner, "Demo owner").selectOption("member");
  await dialog.getByRole("button", { name: "Change it" }).click();
  await expect(dialog.getByRole("alert")).toContainText("it is the last owner");
  expect(await pictured(owner, "role-last-owner")).toEqual([]);
});
