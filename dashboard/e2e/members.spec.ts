// A person is invited by a link, joins without an account, is removed, and is out at once.
import { newSession } from "./support/agent";
import { pictured } from "./support/looks";
import { expect, pages, test } from "./support/people";
import { row, shownOnce } from "./support/shown";

test("a person is invited, joins by the link, and is out within five seconds of being removed", async ({
  open,
  browser,
}) => {
  const id = await newSession("Watched by a guest");
  const owner = await open("owner");
  await owner.goto("/settings?tab=members");
  const dialog = owner.getByRole("dialog");
  const invite = async (email: string) => {
    await owner.getByRole("button", { name: "Invite a person" }).click();
    await dialog.getByLabel(/Address of mail/).fill(email);
    await dialog.getByRole("button", { name: "Invite", exact: true }).click();
    const link = await shownOnce(owner, "The link of the invitation");
    await dialog.getByRole("button", { name: "I have kept it" }).click();
    return new URL(link);
  };
  const found: unknown[] = [];
  const revoked = await invite("late@acme.example");
  await expect(row(owner, "Invitations", "late@acme.example")).toContainText("By hand");
  found.push(...(await pictured(owner, "members-invited")));
  await row(owner, "Invitations", "late@acme.example").getByRole("button", { name: "Revoke…" }).click();
  await dialog.getByRole("button", { name: "Revoke it" }).click();
  await expect(owner.getByText("No pending invitations.")).toBeVisible();
  const link = await invite("");

  const context = await browser.newContext({ baseURL: pages(), viewport: { width: 390, height: 844 } });
  const guest = await context.newPage();
  await guest.goto(`/invite${revoked.hash}`);
  await expect(guest.getByRole("alert")).toContainText("the invitation was revoked");
  await guest.goto("/invite");
  await expect(guest.getByText("This link is not complete")).toBeVisible();
  await guest.goto(`/invite${link.hash}`);
  await guest.reload();
  await expect(guest.getByRole("heading", { name: "Join Demo" })).toBeVisible();
  await guest.getByRole("button", { name: "Join", exact: true }).click();
  await expect(guest.getByText("Say how others call you.")).toBeVisible();
  found.push(...(await pictured(guest, "invite-phone")));
  await guest.getByLabel("Your name").fill("Grace Hopper");
  await guest.getByLabel("Your address of mail").fill("grace@navy.example");
  await guest.getByRole("button", { name: "Join", exact: true }).click();
  await expect(guest.getByRole("heading", { name: "Sessions", exact: true })).toBeVisible();
  await guest.goto(`/sessions/${id}`);
  await expect(guest.getByText("Watched by a guest").first()).toBeVisible();

  await owner.reload();
  await owner.getByRole("button", { name: "Remove Grace Hopper" }).click();
  await expect(dialog).toContainText("open pages and terminals end within five seconds");
  await dialog.getByLabel("Sessions and automations go to").selectOption({ label: "Demo admin (admin)" });
  await dialog.getByLabel(/Erase their name/).check();
  found.push(...(await pictured(owner, "member-remove")));
  await dialog.getByRole("button", { name: "Remove", exact: true }).click();
  await expect(guest.getByText("You are not signed in any more")).toBeVisible({ timeout: 5_000 });
  found.push(...(await pictured(guest, "session-removed-phone")));
  await expect(row(owner, "Members", "Grace Hopper")).toHaveCount(0);
  await guest.goto(`/invite${link.hash}`);
  await expect(guest.getByRole("alert")).toContainText("the invitation was used");
  await context.close();
  expect(found).toEqual([]);
});
