// Nothing hidden of what agents, servers and users wrote reaches the page as it is: docs/concepts/actions.md.
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createColumnHelper } from "@tanstack/react-table";
import { act, cleanup, render, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { MemoryRouter } from "react-router";
import { afterEach, expect, it, vi } from "vitest";
import { api } from "@/api/client";
import { isHidden } from "@/lib/visible";
import { Conversation } from "@/live/conversation";
import { Person } from "@/parts/members";
import { Card } from "@/ui/Card";
import { CodeBlock } from "@/ui/CodeBlock";
import { Dialog } from "@/ui/Dialog";
import { Digest } from "@/ui/Digest";
import { Facts } from "@/ui/Facts";
import { Field } from "@/ui/Field";
import Markdown from "@/ui/Markdown";
import { Note } from "@/ui/Note";
import { Page } from "@/ui/Page";
import { Table } from "@/ui/Table";
import { CallDialog } from "./approvals/CallDialog";
import { DeliveryState } from "./approvals/DeliveryState";
import { Chain } from "./audit/Chain";
import { Timeline } from "./audit/Timeline";
import { Verdict } from "./audit/Verdict";
import { AutomationPage } from "./automations/AutomationPage";
import { RunPage } from "./automations/RunPage";
import { Repos } from "./configurations/Repos";
import { ConnectorList } from "./connectors/ConnectorList";
import { Diagnosis } from "./connectors/Diagnosis";
import { Review } from "./connectors/Review";
import { Services } from "./connectors/Services";
import { GrantDialog } from "./grants/GrantDialog";
import { LockState } from "./policy/lock/LockState";
import { PastTickets } from "./policy/lock/PastTickets";
import { TicketCard } from "./policy/lock/TicketCard";
import { Change } from "./secrets/Change";
import { ApprovalAsk } from "./session/asks/ApprovalAsk";
import { BootChart } from "./session/panels/BootChart";
import Changes from "./session/panels/Changes";
import Media from "./session/panels/Media";
import { Standing } from "./session/Standing";
import { SessionState } from "./sessions/SessionState";
import { SessionTable } from "./sessions/SessionTable";
import { ApiKeys } from "./settings/ApiKeys";
import { Deliveries } from "./settings/Deliveries";
import { Members } from "./settings/Members";
import { Webhooks } from "./settings/Webhooks";

/** A word of others with what turns it around, what is not drawn and what a terminal obeys. */
const EVIL = "a\u202eb\u200bc\u0007d";
/** What is left of it in every look, JSON among them. */
const SHOWN = "a\\u{202e}b\\u{200b}c\\u";
const AT = "2026-01-01T00:00:00Z";
const ID = "0192f0c1-2345-7abc-8def-0123456789ab";
const SHA = "a".repeat(64);
const DIFF = `diff --git a/${EVIL} b/${EVIL}\n--- a/${EVIL}\n+++ b/${EVIL}\n@@ -1 +1 @@\n-x\n+${EVIL}\n`;

const TOOL = {
  name: "look",
  tool: EVIL,
  description: EVIL,
  riskLevel: "write",
  riskSource: "fallback",
  params: [],
  state: "unchanged",
  sha256: SHA,
  definition: { name: EVIL, outputSchema: { description: EVIL }, annotations: { title: EVIL } },
};
const CONNECTOR = { id: ID, name: EVIL, url: EVIL, auth: { type: "bearer", secretKey: EVIL }, enabled: true };
const CALL = {
  id: ID,
  sessionId: ID,
  sessionTitle: EVIL,
  integration: "connector:1",
  action: EVIL,
  riskLevel: "write",
  status: "failed",
  createdAt: AT,
  params: { [EVIL]: EVIL },
  error: EVIL,
  callSha256: SHA,
  suspendedGrant: { grantId: ID, message: EVIL },
};
const GRANT = {
  id: ID,
  integration: "connector:1",
  action: EVIL,
  usedCalls: 0,
  createdAt: AT,
  predicates: [{ pointer: EVIL, equals: EVIL }],
  suspended: [{ integration: "connector:1", action: EVIL, message: EVIL, nowSha256: SHA }],
};
const RUN = { id: ID, automationId: ID, sessionId: ID, createdAt: AT, status: "failed", statusReason: EVIL };
const TICKET = {
  id: ID,
  laneId: EVIL,
  minutes: 30,
  reason: EVIL,
  status: "requested",
  openedBy: ID,
  openedAt: AT,
};
const ACTOR = { actor_id: EVIL, actor_type: "user", lane_id: EVIL };
const EVENT = {
  action_type: "tool_call",
  actor: ACTOR,
  outcome: "deny",
  outcome_reason: EVIL,
  timestamp_utc: AT,
  lane_id: EVIL,
  target: { target_type: "tool", name: `x/${EVIL}`, operation: EVIL },
};
const CHAIN = {
  run_id: ID,
  run_kind: EVIL,
  operation: EVIL,
  status: "denied",
  actor: ACTOR,
  outcome_reason: EVIL,
  tool_name: EVIL,
  created_at_utc: AT,
  error: { error_code: "X", message: EVIL },
  inputs: { artifact_refs: [] },
  outputs: { artifact_refs: [] },
};
const page = (...items: object[]) => ({ items, hasMore: false });
const ANSWERS: Record<string, unknown> = {
  "/v1/runs/{id}": CHAIN,
  "/v1/me": { userId: "ada", role: "admin" },
  "/v1/members": page({ userId: ID, name: EVIL, email: EVIL, role: "member", createdAt: AT, joinedAt: AT }),
  "/v1/connectors": page({ ...CONNECTOR, integration: "connector:1" }),
  "/v1/integrations": page({
    id: ID,
    integrationId: "linear",
    displayName: EVIL,
    provider: "static",
    status: "active",
    scopes: [EVIL],
    createdAt: AT,
  }),
  "/v1/repos": page({ id: ID, name: EVIL, url: EVIL, defaultBranch: EVIL, source: "url", push: "never" }),
  "/v1/models": { models: [] },
  "/v1/configurations": page(),
  "/v1/automations/{id}": { id: ID, name: EVIL, description: EVIL, enabled: true, agentInstructions: "" },
  "/v1/automations/{id}/runs": page(RUN),
  "/v1/automation-runs/{id}": RUN,
  "/v1/artifacts": page(),
  "/v1/actions/{id}/explain": { invocation: CALL, grants: [{ grantId: ID, applies: false, reason: EVIL }] },
  "/v1/grants/{id}/calls": page(CALL),
  "/v1/webhooks": page({ id: ID, url: EVIL, events: [], enabled: true, createdAt: AT }),
  "/v1/webhooks/{id}/deliveries": page({ id: ID, event: "x", status: "failed", error: EVIL, createdAt: AT }),
  "/v1/api-keys": page({ id: ID, name: EVIL, prefix: "p", role: "member", createdAt: AT }),
  "/v1/audit/events": page({ eventId: ID, seq: 1, leaf: SHA, record: { event: EVENT, prev: SHA } }),
  "/proliferate/{id}/verification-media": {
    files: [
      { key: "1", path: EVIL, name: EVIL, size: 1, contentType: "image/png", lastModified: AT },
      { key: "2", path: EVIL, name: EVIL, size: 1, contentType: "text/plain", lastModified: AT },
    ],
  },
};

afterEach(() => vi.restoreAllMocks());

/** The page with this on it, over a gateway that answers with such words everywhere. */
function draw(what: ReactNode) {
  vi.spyOn(api, "GET").mockImplementation((async (path: string) => {
    const known = ANSWERS[path];
    return { data: known ?? page() };
  }) as never);
  vi.spyOn(globalThis, "fetch").mockImplementation(async (path) => {
    const isState = String(path).endsWith("status");
    const answer = isState ? { branch: EVIL, untrackedFiles: [EVIL] } : { diff: DIFF };
    return new Response(JSON.stringify(answer));
  });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <MemoryRouter>{what}</MemoryRouter>
    </QueryClientProvider>,
  );
}

/** All that is read from the page, by eye or aloud. */
function read(): string[] {
  const words = [document.title, document.body.textContent ?? ""];
  for (const element of document.querySelectorAll("*"))
    for (const name of ["title", "aria-label", "alt", "placeholder", "download"])
      words.push(element.getAttribute(name) ?? "");
  return words;
}
const count = (text: string) => text.split(SHOWN).length - 1;
const hidden = (text: string) => [...text].filter((c) => c !== "\n" && isHidden(c.codePointAt(0) ?? 0));

const conversation = new Conversation();
conversation.status = "error";
conversation.statusWords = EVIL;
const column = createColumnHelper<{ name: string }>();
const nothing = () => {};

/** What is drawn, and how often such a word is in it at least. */
const PLACES: [string, ReactNode, number][] = [
  [
    "a dialog",
    <Dialog key="" open onOpenChange={nothing} title={EVIL} lead={EVIL}>
      {null}
    </Dialog>,
    2,
  ],
  [
    "a page",
    <Page key="" title={EVIL} lead={EVIL}>
      {null}
    </Page>,
    3,
  ],
  ["a note", <Note key="" title={EVIL} />, 1],
  [
    "a card",
    <Card key="" title={EVIL}>
      {null}
    </Card>,
    1,
  ],
  ["facts", <Facts key="" facts={[[EVIL, EVIL]]} />, 2],
  [
    "a field",
    <Field key="" label="Name" error={EVIL}>
      {() => null}
    </Field>,
    1,
  ],
  ["code", <CodeBlock key="" text={EVIL} label={EVIL} />, 2],
  [
    "markdown that names characters by their numbers",
    <Markdown
      key=""
      text={`${EVIL}\n\na&#x202e;b&#8203;c&#173;\n\n![a&#x202e;b&#8203;c&#173;](x "&#x202e;")`}
    />,
    3,
  ],
  ["a digest", <Digest key="" of={EVIL} />, 2],
  [
    "a cell",
    <Table
      key=""
      rows={[{ name: EVIL }]}
      columns={[column.accessor("name", { header: "Name" })]}
      label="Rows"
      rowId={() => ID}
    />,
    1,
  ],
  ["a user", <Person key="" id={ID} />, 1],
  ["the changes of a session", <Changes key="" id={ID} />, 4],
  ["the evidence of a session", <Media key="" id={ID} />, 6],
  ["the steps of a boot", <BootChart key="" steps={[{ stage: "agent", startedAt: 0, error: EVIL }]} />, 1],
  ["how a session stands", <Standing key="" conversation={conversation} />, 1],
  [
    "the state of a session",
    <SessionState key="" session={{ status: "failed", reason: EVIL } as never} />,
    1,
  ],
  [
    "sessions",
    <SessionTable
      key=""
      sessions={
        [
          { id: ID, title: EVIL, status: "running", agentConfig: { modelId: EVIL }, lastActivityAt: AT },
        ] as never
      }
    />,
    2,
  ],
  [
    "a server that works",
    <Diagnosis key="" found={{ ok: true, tools: [TOOL], notes: [EVIL] } as never} />,
    1,
  ],
  [
    "a server that fails",
    <Diagnosis
      key=""
      found={{ ok: false, tools: [], diagnostics: { class: "auth", message: EVIL } } as never}
    />,
    1,
  ],
  [
    "the review of a tool",
    <Review key="" connector={CONNECTOR as never} tool={TOOL as never} onClose={nothing} />,
    5,
  ],
  ["MCP servers", <ConnectorList key="" />, 3],
  ["services", <Services key="" />, 2],
  ["repositories", <Repos key="" />, 3],
  ["an automation", <AutomationPage key="" />, 3],
  ["a run of one", <RunPage key="" />, 1],
  ["a call", <CallDialog key="" entry={CALL as never} onClose={nothing} />, 6],
  [
    "a call that waits in a session",
    <ApprovalAsk
      key=""
      sessionId={ID}
      request={
        {
          ...CALL,
          invocationId: ID,
          paramsComplete: true,
          expiresAt: AT,
          returnedBecause: [EVIL],
        } as never
      }
      moving={false}
    />,
    5,
  ],
  [
    "a secret of a repository",
    <Change
      key=""
      secret={{ id: ID, key: EVIL, scope: { kind: "repo", id: ID } } as never}
      onClose={nothing}
    />,
    2,
  ],
  ["a delivery", <DeliveryState key="" of={[{ status: "failed", error: EVIL } as never]} />, 1],
  ["a grant", <GrantDialog key="" grant={GRANT as never} onClose={nothing} />, 6],
  ["a ticket", <TicketCard key="" ticket={TICKET as never} installation={false} />, 2],
  [
    "the lock",
    <LockState
      key=""
      of={
        {
          installation: false,
          lock: { engagedAt: AT, engagedBy: ID, reason: EVIL },
          lifted: [{ ...TICKET, expiresAt: null }],
        } as never
      }
    />,
    3,
  ],
  ["old tickets", <PastTickets key="" tickets={[TICKET as never]} />, 3],
  ["the log", <Timeline key="" />, 3],
  ["a call in the log", <Chain key="" />, 4],
  [
    "a bundle that is bad",
    <Verdict
      key=""
      standing={{ is: "bad", fault: { line: 1, seq: undefined, eventId: EVIL, reason: EVIL } } as never}
    />,
    1,
  ],
  ["members", <Members key="" />, 3],
  ["keys", <ApiKeys key="" />, 1],
  ["webhooks", <Webhooks key="" />, 1],
  ["deliveries of one", <Deliveries key="" id={ID} />, 1],
];

it.each(PLACES)("%s hides nothing", async (_, what, least) => {
  document.title = "";
  draw(what);
  await waitFor(() => {
    const found = read().map(count);
    expect(found.reduce((sum, each) => sum + each, 0)).toBeGreaterThanOrEqual(least);
  });
  expect(read().flatMap(hidden)).toEqual([]);
  // Escaped once: twice, its own backslash is.
  expect(read().filter((words) => words.includes("\\u{5c}"))).toEqual([]);
});

it("shows all that the digest of a tool stands for, or accepts nothing", async () => {
  draw(<Review connector={CONNECTOR as never} tool={TOOL as never} onClose={nothing} />);
  const accept = () =>
    [...document.querySelectorAll("button")].find(({ textContent }) => textContent?.startsWith("Accept"));
  await waitFor(() => expect(accept()?.disabled).toBe(false));
  for (const member of ["outputSchema", "annotations"]) expect(document.body.textContent).toContain(member);
  cleanup();
  const long = { ...TOOL, definition: { ...TOOL.definition, description: `${"x".repeat(9_000)} the end` } };
  draw(<Review connector={CONNECTOR as never} tool={long as never} onClose={nothing} />);
  await waitFor(() => expect(accept()?.title).toContain("Unfold"));
  expect(accept()?.disabled).toBe(true);
  const folded = [...document.querySelectorAll("button")].find(({ textContent }) =>
    textContent?.includes("characters folded"),
  );
  act(() => folded?.click());
  await waitFor(() => expect(accept()?.disabled).toBe(false));
  cleanup();
  const bare = { ...TOOL, definition: undefined };
  draw(<Review connector={CONNECTOR as never} tool={bare as never} onClose={nothing} />);
  await waitFor(() => expect(accept()).toBeDefined());
  expect(accept()?.disabled).toBe(true);
});
