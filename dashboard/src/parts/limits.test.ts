import { describe, expect, it } from "vitest";
import { type Limits, spendToSay, whyNoStart } from "./limits";

const none = {
  liveSessions: null,
  sandboxes: null,
  storageBytes: null,
  spendDayMicroUsd: null,
  spendMonthMicroUsd: null,
  approvalSeconds: null,
};
const limits = (inForce: Partial<Limits["inForce"]>, used: Partial<Limits["used"]>): Limits => ({
  organizationId: "acme",
  operator: none,
  organization: none,
  inForce: { ...none, ...inForce },
  used: {
    liveSessions: 0,
    sandboxes: 0,
    storageBytes: 0,
    storageCountedAt: null,
    spendDayMicroUsd: 0,
    spendMonthMicroUsd: 0,
    ...used,
  },
  noticed: { dayPercent: 0, monthPercent: 0 },
});

describe("what is said of spending", () => {
  it("says nothing without a limit, and below four fifths of one", () => {
    expect(spendToSay(limits({}, { spendDayMicroUsd: 9 }))).toBeNull();
    expect(spendToSay(limits({ spendDayMicroUsd: 100 }, { spendDayMicroUsd: 79 }))).toBeNull();
  });
  it("says what is reached before what comes near", () => {
    const of = limits(
      { spendDayMicroUsd: 10, spendMonthMicroUsd: 100 },
      { spendDayMicroUsd: 10, spendMonthMicroUsd: 85 },
    );
    expect(spendToSay(of)).toEqual({ period: "day", spent: 10, limit: 10, isReached: true });
    const near = limits({ spendMonthMicroUsd: 100 }, { spendMonthMicroUsd: 80 });
    expect(spendToSay(near)).toEqual({ period: "month", spent: 80, limit: 100, isReached: false });
  });
});

describe("why another session cannot start", () => {
  it("names the limit that is used up", () => {
    expect(whyNoStart(limits({ liveSessions: 2 }, { liveSessions: 1 }))).toBeNull();
    expect(whyNoStart(limits({ liveSessions: 2 }, { liveSessions: 2 }))).toContain("2 of 2 sessions");
    expect(whyNoStart(limits({ sandboxes: 0 }, {}))).toContain("0 of 0 sandboxes");
  });
});
