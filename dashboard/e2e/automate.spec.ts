// What agents do alone: an automation, and how its runs end.
import type { Page } from "@playwright/test";
import { bash } from "./support/agent";
import { pictured } from "./support/looks";
import { expect, test } from "./support/people";

/** The ids stand in the prompt that every run begins with, below these lines, which must not be found themselves. */
const complete = (outcome: string, more: object) =>
  `CALL automation_complete ${JSON.stringify({
    run_id: "{{find - .run_id.: ([0-9a-f-]+)}}",
    completion_id: "{{find - .completion_id.: (run:[0-9a-f]\\S+)}}",
    outcome,
    ...more,
  })}`;

async function ran(page: Page, outcome: string): Promise<void> {
  await page.getByRole("button", { name: "Start a run" }).click();
  const newest = page.getByRole("table", { name: "Runs" }).getByRole("row").nth(1);
  await expect(newest).toContainText(outcome);
}

test("an automation is written down, started, and says how it ended", async ({ open }) => {
  const page = await open("admin");
  await page.goto("/automations");
  await page.getByRole("link", { name: "New automation" }).first().click();
  await page.getByRole("button", { name: "Add it" }).click();
  await expect(page.getByText("Say what the agent is to do.")).toBeVisible();
  await page.getByLabel("Name", { exact: true }).fill("Nightly triage");
  await page.getByLabel("What it is for").fill("Looks at yesterday's errors");
  const good = complete("succeeded", {
    summary_markdown: "## Two errors\n\n- **Checkout** fails without a card\n- the greeting has no name",
    citations: ["errors.log:12"],
    side_effect_refs: ["DEMO-2"],
    diff_ref: "triage/2026-01-05",
  });
  await page
    .getByLabel("Instructions")
    .fill(
      [
        bash("mkdir -p .proliferate/.verification && echo two > .proliferate/.verification/errors.txt"),
        "CALL verify {}",
        good,
      ].join("\n"),
    );
  expect(await pictured(page, "automation-new")).toEqual([]);
  await page.getByRole("button", { name: "Add it" }).click();
  await expect(page.getByText("It has not run yet.")).toBeVisible();
  await ran(page, "Succeeded");

  await page
    .getByLabel("Instructions")
    .fill(complete("needs_human", { summary_markdown: "Which of **two** databases?" }));
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(
    page.getByText("Runs that are going on stay as they were started.", { exact: true }),
  ).toBeVisible();
  await ran(page, "Needs a user");
  const runs = page.getByRole("table", { name: "Runs" }).getByRole("row");
  await expect(runs).toHaveCount(3);
  expect(await pictured(page, "automation-runs")).toEqual([]);

  await runs.nth(1).getByRole("link").click();
  await expect(page.getByText("Its agent could not go on alone.")).toBeVisible();
  await page.getByRole("link", { name: "Back" }).click();
  await runs.filter({ hasText: "Succeeded" }).getByRole("link").click();
  await expect(page.getByRole("heading", { name: "Two errors" })).toBeVisible();
  await expect(page.getByText("errors.log:12")).toBeVisible();
  await expect(page.getByText("DEMO-2")).toBeVisible();
  await expect(page.getByRole("button", { name: "Download" }).first()).toBeVisible();
  expect(await pictured(page, "automation-run")).toEqual([]);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download" }).first().click();
  expect((await download).suggestedFilename()).not.toBe("");
  await page.getByRole("link", { name: "its trail" }).click();
  await expect(page.getByRole("heading", { name: "Audit", level: 1 })).toBeVisible();
  await expect(page.getByText("automation.complete").first()).toBeVisible();

  await page.goto("/automations");
  await expect(page.getByRole("row").filter({ hasText: "Nightly triage" })).toContainText("On");
  expect(await pictured(page, "automations-filled")).toEqual([]);
});
