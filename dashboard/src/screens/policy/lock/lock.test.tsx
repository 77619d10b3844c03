import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import { api } from "@/api/client";
import { Problem } from "@/api/problem";
import type { Lock, Ticket } from "@/parts/lock";
import type { Lane } from "../queries";
import { SafetyLock } from "./SafetyLock";

const AT = "2026-01-01T00:00:00Z";
const ADA = "user_ada";
const BOB = "user_bob";
const MEMBERS = [
  { userId: ADA, name: "Ada" },
  { userId: BOB, name: "Bob" },
];
const OFF: Lock = { engaged: false, installation: false, lock: null, lifted: [] };
const ON: Lock = {
  ...OFF,
  engaged: true,
  lock: { id: "lock", engagedBy: BOB, engagedAt: AT, reason: "an agent writes too much" },
};
const TICKET = {
  id: "ticket",
  laneId: "INTAKE",
  minutes: 30,
  reason: "the hearing is at noon",
  status: "requested",
  openedBy: BOB,
  openedAt: AT,
  expiresAt: new Date(Date.now() + 600_000).toISOString(),
  lockedSha256: "locked",
  liftedSha256: "lifted",
} as Ticket;
const APPROVED: Ticket = { ...TICKET, status: "approved", approvedBy: ADA, approvedAt: AT };
const LANES = [
  { id: "INTAKE", requires: ["case_id"] },
  { id: "SYSTEM_OVERRIDE", requires: ["override_ticket_id"] },
] as Lane[];

// Dialogs that are filled in key by key, on a machine that does other things too.
vi.setConfig({ testTimeout: 30_000 });
afterEach(() => vi.restoreAllMocks());

type Given = { lock?: Lock | Problem; tickets?: Ticket[]; role?: "admin" | "member" };

/** The tab as Ada sees it, over a gateway that answers this. */
function shown({ lock = ON, tickets = [], role = "admin" }: Given) {
  const answers: Record<string, unknown> = {
    "/v1/me": { userId: ADA, role },
    "/v1/members": { items: MEMBERS, hasMore: false },
    "/v1/safety-lock": lock,
    "/v1/override-tickets": { items: tickets },
  };
  const post = vi.spyOn(api, "POST");
  post.mockResolvedValue({ data: { run_id: "run", outcome: "success" } } as never);
  vi.spyOn(api, "GET").mockImplementation((async (path: string) => {
    const data = answers[path];
    if (data instanceof Problem) throw data;
    return { data };
  }) as never);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <SafetyLock lanes={LANES} />
    </QueryClientProvider>,
  );
  return { answers, post, user: userEvent.setup() };
}

const button = (name: string) => screen.findByRole("button", { name });
const dialog = async () => within(await screen.findByRole("dialog"));

it("stops every call, for a reason and after saying what that does", async () => {
  const { answers, post, user } = shown({ lock: OFF });
  await screen.findByText("No override tickets.");
  expect(screen.queryByRole("button", { name: /override/ })).toBeNull();
  await user.click(await button("Engage it…"));
  const asked = await dialog();
  asked.getByText(/Every call of the organization is denied/);
  await user.click(asked.getByRole("button", { name: "Stop every call" }));
  await asked.findByText(/Give a reason/);
  expect(post).not.toHaveBeenCalled();
  answers["/v1/safety-lock"] = ON;
  await user.type(asked.getByLabelText("Reason"), "an agent writes too much{Enter}");
  await button("Release it…");
  expect(post).toHaveBeenCalledExactlyOnceWith("/v1/safety-lock/engage", {
    body: { reason: "an agent writes too much" },
  });
  expect(screen.queryByRole("dialog")).toBeNull();
  screen.getByText("Bob");
  screen.getByText("an agent writes too much");
});

it("lets calls pass again, and stays open with what went wrong", async () => {
  const { post, user } = shown({});
  await user.click(await button("Release it…"));
  const asked = await dialog();
  post.mockRejectedValueOnce(new Problem({ status: 409, detail: "the lock is not engaged" }));
  await user.type(asked.getByLabelText("Reason"), "it is over");
  await user.click(asked.getByRole("button", { name: "Let calls pass" }));
  await asked.findByText("the lock is not engaged");
  await user.click(asked.getByRole("button", { name: "Let calls pass" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(post).toHaveBeenLastCalledWith("/v1/safety-lock/release", { body: { reason: "it is over" } });
});

it("shows a member everything, and nothing to press", async () => {
  const past: Ticket = { ...TICKET, id: "past", status: "closed", closedBy: BOB, endedAt: AT };
  shown({ role: "member", tickets: [TICKET, past] });
  await screen.findByText("Waits for a second admin");
  screen.getByText("an agent writes too much");
  within(screen.getByRole("table", { name: "Tickets that are over" })).getByText("by Bob");
  await screen.findByText(/is for admins and owners/);
  expect(screen.queryByRole("button")).toBeNull();
});

it("asks for one lane, but for none that has tickets of its own, and for an hour at most", async () => {
  const { post, user } = shown({});
  await user.click(await button("Ask for an override…"));
  const asked = await dialog();
  const lanes = asked.getAllByRole("option").map(({ textContent }) => textContent);
  expect(lanes).toEqual(["Choose…", "INTAKE"]);
  await user.clear(asked.getByLabelText("Minutes"));
  await user.type(asked.getByLabelText("Minutes"), "61");
  await user.type(asked.getByLabelText("Reason"), "noon");
  await user.click(asked.getByRole("button", { name: "Ask for it" }));
  await asked.findByText("Which lane?");
  asked.getByText("A whole number from 1 to 60.");
  expect(post).not.toHaveBeenCalled();
  await user.selectOptions(asked.getByLabelText("Lane"), "INTAKE");
  await user.clear(asked.getByLabelText("Minutes"));
  await user.type(asked.getByLabelText("Minutes"), "45");
  await user.click(asked.getByRole("button", { name: "Ask for it" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  const body = { laneId: "INTAKE", minutes: 45, reason: "noon" };
  expect(post).toHaveBeenCalledExactlyOnceWith("/v1/override-tickets", { body });
});

it("has another admin approve, and says what the gateway says against it", async () => {
  const { answers, post, user } = shown({ tickets: [TICKET] });
  post.mockRejectedValueOnce(new Problem({ status: 410, detail: "the ticket's time is over" }));
  await user.click(await button("Approve it"));
  await screen.findByText("the ticket's time is over");
  answers["/v1/override-tickets"] = { items: [APPROVED] };
  await user.click(await button("Approve it"));
  await button("Lift the lane…");
  const params = { path: { id: "ticket" } };
  expect(post).toHaveBeenLastCalledWith("/v1/override-tickets/{id}/approve", { params });
});

it("tells the admin who opened it why they cannot approve, and lets them close it", async () => {
  const { answers, post, user } = shown({ tickets: [{ ...TICKET, openedBy: ADA }] });
  await screen.findByText(/You asked for it, so another admin has to approve it/);
  expect(screen.queryByRole("button", { name: "Approve it" })).toBeNull();
  await user.click(await button("Close…"));
  answers["/v1/override-tickets"] = { items: [] };
  await user.click((await dialog()).getByRole("button", { name: "Close it" }));
  await screen.findByText("No override tickets.");
  const params = { path: { id: "ticket" } };
  expect(post).toHaveBeenCalledExactlyOnceWith("/v1/override-tickets/{id}/close", { params });
});

it.each([
  [APPROVED, "Lift the lane…", "Lift it", "override.enable", ["locked", "lifted"]],
  [
    { ...APPROVED, status: "active" as const },
    "End it…",
    "Lock it again",
    "override.disable",
    ["lifted", "locked"],
  ],
])(
  "uses a ticket by a mediated call that brings its digests: %#",
  async (ticket, open, verb, operation, digests) => {
    const { answers, post, user } = shown({ tickets: [ticket] });
    await user.click(await button(open));
    const asked = await dialog();
    const after = operation === "override.enable" ? "active" : "disabled";
    answers["/v1/override-tickets"] = { items: [{ ...ticket, status: after }] };
    await user.type(asked.getByLabelText("Reason"), "now");
    await user.click(asked.getByRole("button", { name: verb }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    const call = (post.mock.calls as unknown[][]).find(([path]) => path === "/v1/tool-calls")?.[1];
    expect(call).toMatchObject({
      body: {
        operation,
        lane_id: "SYSTEM_OVERRIDE",
        parent_run_id: "run",
        scope: { override_ticket_id: "ticket", override_reason: "now" },
        parameters: { before_sha256: digests[0], after_sha256: digests[1] },
      },
    });
    const end = { params: { path: { id: "run" } }, body: { status: "completed" } };
    expect(post).toHaveBeenLastCalledWith("/v1/runs/{id}/end", end);
  },
);

it("says that the call was denied, and ends its run as failed", async () => {
  const { post, user } = shown({ tickets: [APPROVED] });
  await user.click(await button("Lift the lane…"));
  const asked = await dialog();
  post.mockResolvedValueOnce({ data: { run_id: "run" } } as never);
  post.mockRejectedValueOnce(new Problem({ status: 403, detail: "calls are locked" }));
  await user.type(asked.getByLabelText("Reason"), "now{Enter}");
  await asked.findByText("calls are locked");
  const end = { params: { path: { id: "run" } }, body: { status: "failed" } };
  expect(post).toHaveBeenLastCalledWith("/v1/runs/{id}/end", end);
});

it("shows an operator's lock as one that nothing here lifts", async () => {
  shown({ lock: { ...ON, installation: true }, tickets: [APPROVED] });
  await screen.findByText("An operator has locked the whole installation.");
  await screen.findByText(/cannot be used or ended while an operator/);
  expect(screen.queryByRole("button", { name: "Lift the lane…" })).toBeNull();
});

it("says why the lock cannot be seen, and asks again", async () => {
  const { answers, user } = shown({ lock: Problem.offline() });
  await screen.findByText("The gateway does not answer.");
  answers["/v1/safety-lock"] = OFF;
  await user.click(await button("Try again"));
  await button("Engage it…");
});
