// Webhooks: a receiver that accepts notices, rejects them, and verifies who sent them.
import { createHmac } from "node:crypto";
import { askForIssue, newSession, tell } from "./support/agent";
import { pictured } from "./support/looks";
import { type Asked, Outside } from "./support/outside";
import { expect, test } from "./support/people";
import { row, shownOnce } from "./support/shown";

const TITLE = "Told outside";

/** As a receiver does by hand, see docs/concepts/webhooks.md. */
function isSigned({ headers, body }: Asked, secret: string): boolean {
  const mac = createHmac("sha256", Buffer.from(secret.slice("whsec_".length), "base64"));
  mac.update(`${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`);
  return `${headers["webhook-signature"]}`.split(" ").includes(`v1,${mac.digest("base64")}`);
}

test("a receiver gets a notice, fails, gets it again, and verifies the sender", async ({ open }) => {
  const told: Asked[] = [];
  const of = (type: string) => told.filter(({ body }) => JSON.parse(body).type === type);
  let answer: (type: string) => number = () => 204;
  const outside = await new Outside((asked) => {
    told.push(asked);
    return answer(JSON.parse(asked.body).type);
  }).open();
  const page = await open("admin");
  let secret = "";

  await test.step("it is added, and its secret is shown once", async () => {
    await page.goto("/settings?tab=webhooks");
    await page.getByRole("button", { name: "Add a webhook" }).click();
    const dialog = page.getByRole("dialog", { name: "Add a webhook" });
    await dialog.getByRole("button", { name: "Add it" }).click();
    await expect(dialog.getByText("An address that begins with https://.")).toBeVisible();
    await dialog.getByLabel("Address").fill("https://10.0.0.1/hooks");
    await dialog.getByRole("button", { name: "Add it" }).click();
    await expect(dialog.getByText("the address is not on the public network")).toBeVisible();
    await expect(dialog.getByLabel("Address")).toHaveAttribute("aria-invalid", "true");
    expect(await pictured(page, "webhook-refused")).toEqual([]);
    await dialog.getByLabel("Address").fill(outside.url("/hooks"));
    await dialog.getByRole("button", { name: "Add it" }).click();
    secret = await shownOnce(page, "Its signing secret");
    expect(secret).toMatch(/^whsec_/);
    await page.getByRole("button", { name: "I have kept it" }).click();
    await page.reload();
    await row(page, "Webhooks", outside.url("/hooks")).getByRole("link").click();
    await expect(page.getByText("Nothing was to be told yet.")).toBeVisible();
    expect(await page.content()).not.toContain(secret);
  });

  const tried = page.getByRole("button", { name: "Send a test" });
  await test.step("a test says what its receiver answers", async () => {
    await tried.click();
    await expect(page.getByText("Its receiver took it.")).toBeVisible();
    expect(of("ping").map((each) => isSigned(each, secret))).toEqual([true]);
    answer = () => 500;
    await tried.click();
    await expect(page.getByText(/^It answered 500, after \d+ ms\.$/)).toBeVisible();
  });

  const asks = row(page, "Deliveries", "A call waits for a decision");
  const isUsed = page.getByLabel("In use.");
  await test.step("what it does not take is given up when it is off, and sent again when it is on", async () => {
    await tell(await newSession(TITLE), askForIssue("Tell them"));
    await expect(asks).toContainText("To be tried again");
    await expect(asks).toContainText("it answered 500");
    await expect(page.getByText(/^Fails since/)).toBeVisible();
    expect(await pictured(page, "webhook-failing")).toEqual([]);
    await isUsed.uncheck();
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("Off", { exact: true })).toBeVisible();
    await expect(asks).toContainText("Given up");
    await isUsed.check();
    await page.getByRole("button", { name: "Save" }).click();
    answer = () => 204;
    await asks.getByRole("button", { name: "Send again" }).click();
    await expect(asks).toContainText("Taken");
    await expect(page.getByText("Works", { exact: true })).toBeVisible();
    const sent = of("action_approval_request");
    expect(sent.length).toBeGreaterThan(1);
    expect(new Set(sent.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(sent.every((each) => isSigned(each, secret))).toBe(true);
  });

  await test.step("what fails once is tried again by itself", async () => {
    answer = (type) => (type === "action_completed" && of(type).length === 1 ? 500 : 204);
    const decider = await open("owner");
    await decider.goto("/approvals");
    const call = decider
      .getByRole("list", { name: "Calls that wait" })
      .getByRole("listitem")
      .filter({ hasText: TITLE });
    await expect(call).toContainText("1 told");
    await call.getByRole("button", { name: "Approve once" }).click();
    await expect(row(page, "Deliveries", "A call was decided")).toContainText("Taken");
    const over = row(page, "Deliveries", "A call is over");
    await expect(over).toContainText("To be tried again");
    await expect(over).toContainText("Taken");
    expect(of("action_completed")).toHaveLength(2);
    expect(await pictured(page, "webhook-works")).toEqual([]);
  });

  await test.step("of two secrets both count for a day; and nothing is sent once it is removed", async () => {
    await page.getByRole("button", { name: "New secret…" }).click();
    await page.getByRole("button", { name: "Make a new secret" }).click();
    const next = await shownOnce(page, "Its new secret");
    await page.getByRole("button", { name: "I have kept it" }).click();
    const before = of("ping").length;
    await tried.click();
    await expect.poll(() => of("ping").length).toBe(before + 1);
    const [last] = of("ping").slice(-1);
    expect([secret, next].map((each) => last && isSigned(last, each))).toEqual([true, true]);
    await page.getByRole("button", { name: "Remove…" }).click();
    await expect(page.getByRole("dialog")).toContainText("its log of deliveries is deleted");
    await page.getByRole("button", { name: "Remove it" }).click();
    await expect(page.getByText("No webhooks yet.")).toBeVisible();
  });
  await outside.close();
});
