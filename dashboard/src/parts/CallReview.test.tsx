import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import { api } from "@/api/client";
import { CallReview, type WaitingCall } from "./CallReview";

const DIGEST = "a".repeat(64);
const CALL: WaitingCall = {
  sessionId: "session",
  invocationId: "invocation",
  action: "create_issue",
  params: { title: "Blank page" },
  paramsComplete: true,
  callSha256: DIGEST,
};

vi.setConfig({ testTimeout: 30_000 });
afterEach(() => vi.restoreAllMocks());

/** The call as an admin sees it; `opened` is what the gateway opens. */
function shown(call: WaitingCall, opened?: object, role: "admin" | "member" = "admin") {
  const get = vi.spyOn(api, "GET").mockImplementation((async (path: string) => {
    if (path === "/v1/me") return { data: { userId: "ada", role } };
    return { data: opened };
  }) as never);
  const post = vi.spyOn(api, "POST").mockResolvedValue({ data: {} } as never);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  client.setQueryData(["me"], { userId: "ada", role });
  render(
    <QueryClientProvider client={client}>
      <CallReview call={call} />
    </QueryClientProvider>,
  );
  return { get, post };
}

const approve = () => screen.queryByRole("button", { name: "Approve once" });
const body = (post: ReturnType<typeof shown>["post"]) => (post.mock.calls as unknown[][])[0]?.[1];
const paths = (get: ReturnType<typeof shown>["get"]) =>
  (get.mock.calls as unknown[][]).map(([path]) => String(path));

it("approves the digest of what is on the screen, and fetches no other", async () => {
  const { get, post } = shown(CALL);
  await userEvent.click(await screen.findByRole("button", { name: "Approve once" }));
  await waitFor(() => expect(post).toHaveBeenCalled());
  expect(body(post)).toMatchObject({ body: { mode: "once", callSha256: DIGEST } });
  expect(paths(get).filter((path) => path.includes("actions"))).toEqual([]);
});

it("has no approval before what is folded was shown", async () => {
  shown({ ...CALL, params: { body: `${"a".repeat(5_000)}rm -rf /` } });
  expect(await screen.findByText("Unfold all of the call to approve it.")).toBeTruthy();
  expect(approve()).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "… 3,420 characters folded …" }));
  expect(await screen.findByRole("button", { name: "Approve once" })).toBeTruthy();
});

it("opens a call of which parts are left out, and shows what would be hidden", async () => {
  const opened = { params: { title: 'token="rm\u202e"' }, callSha256: "b".repeat(64), leftOut: 1 };
  const partial = { ...CALL, params: { title: "token=[redacted]" }, paramsComplete: false };
  const { get, post } = shown(partial, opened);
  const open = await screen.findByRole("button", { name: "Open the whole call" });
  expect(approve()).toBeNull();
  await userEvent.click(open);
  expect(await screen.findByText(/1 credential of the gateway left out/)).toBeTruthy();
  expect(screen.getByLabelText("Parameters of the call").textContent).toContain("rm\\u{202e}");
  expect(paths(get)).toContain("/proliferate/{id}/actions/invocations/{invocation}/call");
  await userEvent.click(await screen.findByRole("button", { name: "Approve once" }));
  await waitFor(() => expect(post).toHaveBeenCalled());
  expect(body(post)).toMatchObject({ body: { callSha256: "b".repeat(64) } });
});

it("can be denied before it was opened", async () => {
  const { post } = shown({ ...CALL, paramsComplete: false });
  await userEvent.click(await screen.findByRole("button", { name: "Deny…" }));
  await userEvent.click(screen.getByRole("button", { name: "Deny this call" }));
  await waitFor(() => expect(post).toHaveBeenCalled());
  expect(body(post)).toMatchObject({ body: { callSha256: DIGEST } });
});

it("is opened only by users who may decide", async () => {
  shown({ ...CALL, paramsComplete: false }, undefined, "member");
  expect(await screen.findByText(/An admin or an owner/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Open the whole call" })).toBeNull();
});
