// A session from its first prompt to its last decision, as a user sees it.
import type { Page } from "@playwright/test";
import { askForIssue, say, tell } from "./support/agent";
import { Gate } from "./support/gate";
import { expect, pages, test } from "./support/people";

const decision = (page: Page) => page.getByRole("article", { name: "Decision: create_issue" });
const transcript = (page: Page) => page.getByRole("log", { name: "Transcript" });
const sessionId = (page: Page) => new URL(page.url()).pathname.split("/").at(-1) ?? "";

test("a session: stream, form, once, grant, deny, two browsers, a network that breaks", async ({ open }) => {
  const owner = await open("owner");

  await test.step("create it and watch it stream", async () => {
    await owner.getByRole("link", { name: "New session" }).click();
    const ask = {
      keys: [
        { key: "TEAM", description: "Which team", suggestions: [{ label: "Engineering", value: "ENG" }] },
      ],
    };
    const prompt = ["SAY Here I am.", `CALL request_env_variables ${JSON.stringify(ask)}`, "SAY I wait."];
    await owner.getByLabel("What should the agent do?").fill(prompt.join("\n"));
    await owner.getByLabel("Title").fill("Seen by the tests");
    await owner.getByRole("button", { name: "Begin the session" }).click();
    await expect(owner.getByRole("heading", { name: "Seen by the tests" })).toBeVisible();
    await expect(transcript(owner)).toContainText("[scripted] Here I am.");
    await expect(owner.getByRole("list", { name: "Steps of the boot" })).toContainText("Agent");
  });

  await test.step("give it the values it asks for", async () => {
    const form = owner.getByRole("article", { name: "Values for the agent" });
    await expect(form.getByText("Which team")).toBeVisible();
    await form.getByRole("button", { name: "Give to the agent" }).click();
    await expect(form.getByText("The agent needs this one.")).toBeVisible();
    await form.getByRole("button", { name: "Engineering" }).click();
    await form.getByRole("button", { name: "Give to the agent" }).click();
    await expect(form).toHaveCount(0);
    await expect(transcript(owner)).toContainText("There are values now for");
  });
  const id = sessionId(owner);

  await test.step("approve once", async () => {
    await say(owner, askForIssue("Only once"));
    await expect(decision(owner)).toContainText("Only once");
    await expect(decision(owner).getByRole("timer")).toContainText("left");
    await decision(owner).getByRole("button", { name: "Approve once" }).click();
    await expect(transcript(owner)).toContainText("create_issue was done");
    await expect(decision(owner)).toHaveCount(0);
  });

  const admin = await open("admin", { colorScheme: "dark" });
  await test.step("a second browser sees the same, and each other", async () => {
    await admin.goto(`/sessions/${id}`);
    await expect(transcript(admin)).toContainText("There are values now for");
    await expect(owner.getByRole("list", { name: "1 other watching" })).toBeVisible();
  });

  await test.step("a grant of two lets two through, and the third waits", async () => {
    const titles = ["With a grant", "By itself", "By itself too", "Not any more"];
    await say(owner, titles.map(askForIssue).join("\n"));
    await expect(decision(owner)).toContainText("With a grant");
    await decision(owner).getByRole("button", { name: "Approve and grant…" }).click();
    await decision(owner).getByLabel("Calls in the grant").fill("2");
    await decision(owner).getByRole("button", { name: "Approve and grant", exact: true }).click();
    await expect(decision(owner)).toContainText("Not any more");
    await expect(decision(admin)).toContainText("Not any more");
    await owner.screenshot({ path: "e2e/output/screens/decision-light.png" });
  });

  await test.step("a member sees who can decide", async () => {
    const member = await open("member");
    await member.goto(`/sessions/${id}`);
    await expect(decision(member)).toContainText("An admin or an owner");
    await expect(decision(member).getByRole("button", { name: "Approve once" })).toHaveCount(0);
  });

  await test.step("the other one denies it, with a reason", async () => {
    await decision(admin).getByRole("button", { name: "Deny…" }).click();
    await decision(admin).getByLabel("Reason").fill("Enough for today");
    await decision(admin).getByRole("button", { name: "Deny this call" }).click();
    await expect(decision(owner)).toHaveCount(0);
    await expect(transcript(owner)).toContainText("Enough for today");
  });

  await test.step("the ledger shows the grant used up", async () => {
    await admin.goto("/grants");
    const rows = admin.getByRole("row").filter({ hasText: "create_issue" });
    await expect(rows.filter({ hasText: "2 of 2" })).toContainText("Used up");
    await admin.screenshot({ path: "e2e/output/screens/ledger-dark.png" });
  });

  await test.step("a network that breaks is come back to, and nothing is missing or told twice", async () => {
    const gate = await new Gate(new URL(pages())).open();
    const far = await open("owner", { at: gate.url });
    await far.goto(`/sessions/${id}`);
    await expect(transcript(far)).toContainText("Not any more");
    gate.cut();
    await expect(far.getByText("Connection lost, coming back")).toBeVisible();
    await tell(id, "SAY While you were away.");
    await expect(transcript(owner)).toContainText("[scripted] While you were away.");
    gate.mend();
    await expect(far.getByText("Connection lost, coming back")).toHaveCount(0);
    await expect(far.getByText("[scripted] While you were away.")).toHaveCount(1);
    await far.close();
    await gate.close();
  });
});
