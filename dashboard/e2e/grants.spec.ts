// Grants: made with a look at past calls, used, asked for by an agent, and taken back.
import type { Page } from "@playwright/test";
import { askForIssue, BOARD, bash, newSession, tell } from "./support/agent";
import { pictured } from "./support/looks";
import { expect, test } from "./support/people";

const request = (calls: number) =>
  bash(`proliferate actions grant request --integration ${BOARD} --action create_issue --max-calls ${calls}`);
const row = (page: Page, text: string) =>
  page.getByRole("table", { name: "Grants" }).getByRole("row").filter({ hasText: text });

async function revoke(page: Page, text: string): Promise<void> {
  await row(page, text).getByRole("button").click();
  await page.getByRole("button", { name: "Revoke…" }).click();
  const confirm = page.getByRole("dialog", { name: "Revoke this grant?" });
  await expect(confirm).toContainText("From now on its calls wait for an approval again.");
  await confirm.getByRole("button", { name: "Revoke it" }).click();
  await expect(confirm).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(row(page, text)).toContainText("Revoked");
}

test("a grant is tried on past calls, used within its conditions, asked for, and revoked", async ({
  open,
}) => {
  const id = await newSession("Asks often");
  await tell(id, [askForIssue("Nightly: the first"), askForIssue("By day"), "SAY Both asked."].join("\n"));
  const page = await open("admin");
  const transcript = page.getByRole("log", { name: "Transcript" });

  await test.step("two calls that an admin decides", async () => {
    await page.goto(`/sessions/${id}`);
    const decision = page.getByRole("article", { name: "Decision: create_issue" });
    for (const title of ["Nightly: the first", "By day"]) {
      await expect(decision).toContainText(title);
      await decision.getByRole("button", { name: "Approve once" }).click();
    }
    await expect(transcript).toContainText("[scripted] Both asked.");
  });

  await test.step("a grant that would have allowed one of them", async () => {
    await page.goto("/grants");
    await page.getByRole("button", { name: "New grant" }).click();
    const form = page.getByRole("dialog", { name: "New grant" });
    await form.getByLabel("Service").selectOption({ label: "Demo board" });
    await form.getByLabel("Action").fill("create_issue");
    await form.getByLabel("Calls", { exact: true }).fill("5");
    await form.getByRole("button", { name: "Condition" }).click();
    await form.getByLabel("Place").fill("/title");
    await form.getByLabel("Must").selectOption("prefix");
    await form.getByLabel("Value").fill("Nightly");
    const past = form.getByRole("region", { name: "Backtest" });
    await expect(past).toContainText(/would have allowed [1-9]\d* of/);
    await expect(past.getByRole("listitem").filter({ hasText: "allowed" }).first()).toBeVisible();
    await expect(past.getByRole("listitem").filter({ hasText: /^not/ }).first()).toBeVisible();
    await past.scrollIntoViewIfNeeded();
    expect(await pictured(page, "grant-backtest")).toEqual([]);
    await form.getByRole("button", { name: "Make the grant" }).click();
    await expect(row(page, "0 of 5")).toContainText("with conditions");
  });

  await test.step("a call within its conditions needs no approval, and is in the ledger", async () => {
    await tell(id, [askForIssue("Nightly: the second"), "SAY No approval was needed."].join("\n"));
    const used = row(page, "1 of 5");
    await expect(used).toContainText("Counts");
    await expect(used.getByRole("progressbar", { name: "1 of 5" })).toBeVisible();
    await used.getByRole("button").click();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByRole("listitem").filter({ hasText: "create_issue" })).toHaveCount(1);
    await expect(dialog).toContainText('/title must begin with "Nightly"');
    expect(await pictured(page, "grant-calls")).toEqual([]);
    await page.keyboard.press("Escape");
  });

  await test.step("an agent asks for grants, and an admin decides", async () => {
    await tell(id, [request(3), request(900), "SAY I have asked."].join("\n"));
    await page.getByRole("tab", { name: "Requests from agents (2)" }).click();
    const asked = page.getByRole("listitem").filter({ hasText: "in Demo board" });
    await expect(asked).toHaveCount(2);
    expect(await pictured(page, "grant-requests")).toEqual([]);
    const member = await open("member");
    await member.goto("/grants?tab=requests");
    await expect(member.getByText("3 calls of create_issue")).toBeVisible();
    await expect(member.getByRole("button", { name: "Grant it" })).toHaveCount(0);
    await asked.filter({ hasText: "900 calls" }).getByRole("button", { name: "Refuse…" }).click();
    const confirm = page.getByRole("dialog", { name: "Refuse this request?" });
    await confirm.getByLabel("Reason").fill("Far too many");
    await confirm.getByRole("button", { name: "Refuse it" }).click();
    await asked.filter({ hasText: "3 calls" }).getByRole("button", { name: "Grant it" }).click();
    await expect(page.getByText("No agent asks for a grant.")).toBeVisible();
    await page.getByLabel("Also those that were decided").check();
    await expect(asked.filter({ hasText: "900 calls" })).toContainText("Far too many");
    expect(await pictured(page, "grant-requests-decided")).toEqual([]);
  });

  await test.step("both are taken back", async () => {
    await page.getByRole("tab", { name: "Ledger" }).click();
    await expect(row(page, "0 of 3")).toContainText("One session");
    expect(await pictured(page, "grants-filled")).toEqual([]);
    await revoke(page, "0 of 3");
    await revoke(page, "1 of 5");
  });
});
