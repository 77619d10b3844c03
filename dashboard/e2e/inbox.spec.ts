// The inbox on a phone.
import { askForIssue, newSession, tell } from "./support/agent";
import { expect, test } from "./support/people";

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
  await phone.getByRole("button", { name: "Deny them" }).click();
  await expect(phone.getByRole("dialog")).toHaveCount(0);
  await expect(next).toHaveCount(0);

  await phone.getByRole("tab", { name: "History" }).click();
  await expect(
    phone.getByRole("row").filter({ hasText: "create_issue" }).filter({ hasText: "Denied" }),
  ).not.toHaveCount(0);
  const isTooWide = await phone.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  expect(isTooWide).toBe(false);
});
