// What the organization may use: chosen by admins below the operator's ceiling, said where it matters.
import { pictured } from "./support/looks";
import { api, expect, test } from "./support/people";

const NONE = {
  liveSessions: null,
  sandboxes: null,
  storageBytes: null,
  spendDayMicroUsd: null,
  spendMonthMicroUsd: null,
  approvalSeconds: null,
};

// Others share the gateway: what is set here is far above what they use.
test.afterEach(() => api("PUT", "/v1/organization/limits", NONE));

test("limits are chosen by an admin, kept over a reload, and only seen by a member", async ({ open }) => {
  const [owner, member] = [await open("owner"), await open("member")];
  await owner.goto("/settings?tab=limits");
  await owner.getByLabel("Live sessions").fill("many");
  await owner.getByRole("button", { name: "Set the limits" }).click();
  await expect(owner.getByText("A whole number, or nothing.")).toBeVisible();
  await owner.getByLabel("Live sessions").fill("40");
  await owner.getByLabel("Storage").fill("20.5");
  await owner.getByLabel("Models in a day").fill("50");
  await owner.getByLabel("Time to approve").fill("60");
  await owner.getByRole("button", { name: "Set the limits" }).click();
  await expect(owner.getByText("The limits are set.", { exact: true })).toBeVisible();
  await owner.reload();
  await expect(owner.getByText("of 40", { exact: false })).toBeVisible();
  await expect(owner.getByText("of 20.5 GB", { exact: false })).toBeVisible();
  await expect(owner.getByLabel("Storage")).toHaveValue("20.5");
  await expect(owner.getByLabel("Time to approve")).toHaveValue("60");
  expect(await pictured(owner, "limits")).toEqual([]);
  await member.goto("/settings?tab=limits");
  await expect(member.getByText("of 40", { exact: false })).toBeVisible();
  await expect(member.getByRole("button", { name: "Set the limits" })).toBeDisabled();
});
