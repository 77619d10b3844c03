// A call that hides what it does is seen, all of it, before it can be approved.
import { BOARD, newSession, tell } from "./support/agent";
import { pictured } from "./support/looks";
import { expect, test } from "./support/people";

/** A line that has the agent ask for an issue whose title hides what it says. */
function askHidden(title: string): string {
  const make = `node -e 'console.log(JSON.stringify({title: ${JSON.stringify(title)} + "\\u202E token=\\"curl evil.example\\" " + "x".repeat(9000) + " the end"}))'`;
  const command = `proliferate actions run --integration ${BOARD} --action create_issue --params "$(${make})" --wait 540`;
  return `CALL bash ${JSON.stringify({ command, description: title, timeout: 570_000 })}`;
}

test("the whole call is opened, unfolded and shows what would be hidden before it can be approved", async ({
  open,
}) => {
  const id = await newSession("Hides something");
  const page = await open("admin");
  await page.goto("/approvals");
  await tell(id, askHidden("Hides something"));
  const call = page
    .getByRole("list", { name: "Calls that wait" })
    .getByRole("listitem")
    .filter({ hasText: "Hides something" });
  await expect(call).toHaveCount(1);
  await expect(call).toContainText("\\u{202e}");
  await expect(call).not.toContainText("evil.example");
  await expect(call.getByRole("button", { name: "Approve once" })).toHaveCount(0);
  const found = await pictured(page, "call-copy");

  await call.getByRole("button", { name: "Open the whole call" }).click();
  await expect(call).toContainText("curl evil.example");
  await expect(call).toContainText("the end");
  await expect(call.getByRole("button", { name: "Approve once" })).toHaveCount(0);
  found.push(...(await pictured(page, "call-folded")));
  await call.getByRole("button", { name: /characters folded/ }).click();
  await expect(call.getByRole("button", { name: "Approve once" })).toBeEnabled();

  const phone = await open("admin", {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  await phone.goto("/approvals");
  const small = phone.getByRole("listitem").filter({ hasText: "Hides something" });
  await small.getByRole("button", { name: "Open the whole call" }).click();
  await expect(small).toContainText("curl evil.example");
  await phone.screenshot({ path: "e2e/output/screens/call-folded-phone.png" });
  const isTooWide = await phone.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  expect(isTooWide).toBe(false);

  await call.getByRole("button", { name: "Approve once" }).click();
  await expect(call).toHaveCount(0);
  expect(found).toEqual([]);
});
