// The policy, asked and compared; and tabs that do not fit a phone.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pictured } from "./support/looks";
import { api, dev, expect, test } from "./support/people";

const LANE = "TOOL_DOCUMENT_INTAKE";

test("a tool has its ways, and a call its reasons", async ({ open }) => {
  const page = await open("member");
  await page.goto("/policy?tab=who-can");
  await page.getByLabel("Who can use").selectOption("export.bundle.create");
  const ways = page.getByRole("listitem").filter({ hasText: "through" });
  await expect(ways).toHaveCount(1);
  await expect(ways).toContainText("ORGANIZATION_ADMIN through EXPORT_CASE_DATA");
  await expect(ways).toContainText("export_reason");
  await page.getByLabel("Who can use").selectOption("ocr.extract");
  await expect(ways).toHaveCount(4);
  await expect(page.getByText("at most", { exact: false })).toBeVisible();
  expect(await pictured(page, "policy-who-can")).toEqual([]);

  await page.getByRole("tab", { name: "Would it be allowed?" }).click();
  const ask = page.getByRole("button", { name: "Ask the policy" });
  await page.getByLabel("Role", { exact: true }).selectOption("CASE_AGENT");
  await page.getByLabel("Tool", { exact: true }).selectOption("export.bundle.create");
  await page.getByLabel("Lane", { exact: true }).selectOption("EXPORT_CASE_DATA");
  await ask.click();
  await expect(page.getByText(/It would be denied: /)).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: "role" }).first()).toBeVisible();
  expect(await pictured(page, "policy-denied")).toEqual([]);
  await page.getByLabel("Role", { exact: true }).selectOption("ORGANIZATION_ADMIN");
  await expect(page.getByText(/It would be denied/)).toHaveCount(0);
  for (const key of ["case_id", "run_id", "export_reason"]) await page.getByLabel(key).fill("given");
  await ask.click();
  await expect(page.getByText("It would be let through.")).toBeVisible();
});

test("a policy that was changed is compared with the one before", async ({ open }) => {
  const lanes = join(dev().policyDirectory, "lanes.yaml");
  const before = await readFile(lanes, "utf8");
  const inForce = async () => {
    type Policy = { lanes: { id: string; purpose: string }[] };
    const found = await api<Policy>("GET", "/v1/policy");
    return found.lanes.find(({ id }) => id === LANE)?.purpose;
  };
  const old = await inForce();
  // A policy is kept once something goes by it.
  await api("POST", "/v1/runs", { run_kind: "agent" });
  const page = await open("owner");
  try {
    const purpose = "Read the text out of documents, and of nothing else.";
    await writeFile(lanes, before.replace(`${old}`, purpose).replace("        - ocr.extract\n", ""));
    await expect.poll(inForce).toBe(purpose);
    await page.goto("/policy?tab=versions");
    await expect(page.getByLabel("To", { exact: true })).toContainText("(in force)");
    const change = page.getByRole("listitem").filter({ hasText: LANE });
    await expect(change).toContainText("Changed");
    await expect(change.getByText("ocr.extract")).toHaveRole("deletion");
    await expect(change.getByText(purpose)).toHaveRole("insertion");
    expect(await pictured(page, "policy-versions")).toEqual([]);
  } finally {
    // Other tests are decided by it too.
    await writeFile(lanes, before);
    await expect.poll(inForce).toBe(old);
  }
});

test("the tab that is shown is to be seen on a phone", async ({ open }) => {
  const phone = await open("owner", {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  for (const address of ["/policy?tab=lock", "/policy?tab=versions", "/settings?tab=appearance"]) {
    await phone.goto(address);
    await expect(phone.getByRole("tab", { selected: true })).toBeInViewport({ ratio: 0.99 });
  }
  await phone.screenshot({ path: "e2e/output/screens/tabs-phone.png" });
  await phone.getByRole("tab", { selected: true }).press("Home");
  await expect(phone.getByRole("tab", { name: "Members", selected: true })).toBeInViewport({ ratio: 0.99 });
});
