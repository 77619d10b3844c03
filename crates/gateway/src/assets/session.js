// One session, live: the conversation as it happens, and what waits for a person. Uses the public API and
// nothing else. Whatever comes from outside is put on the page as text, never as markup.

import {
  $, call, el, Problem, say, showProblem, storedToken, storeToken, tokenFromAddress, visible,
} from "./common.js";
import { listen } from "./stream.js";

const STATUS_WORDS = {
  creating: "a sandbox is made", resuming: "the sandbox comes back", running: "running",
  migrating: "moving to another sandbox", paused: "asleep", stopped: "ended", error: "failed",
};
const id = location.pathname.split("/").pop();
const token = tokenFromAddress() ?? storedToken();
storeToken(token);
const api = (method, path, extra) => call(method, path, { ...extra, authorization: `Bearer ${token}` });

// --- The conversation ---

const parts = new Map(); // Elements by the id of a part or a call.

/** Keeps the end in sight for who was looking at it. */
function append(parent, ...children) {
  const list = $("transcript");
  const atEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 48;
  parent.append(...children);
  if (atEnd) list.scrollTop = list.scrollHeight;
}

function entry(kind, who, ...children) {
  const item = el("li", { class: kind }, el("b", { class: "who" }, who), el("div", {}, ...children));
  append($("transcript"), item);
  return item.lastElementChild;
}

function text(partId, words, whole) {
  let place = parts.get(partId);
  if (!place) parts.set(partId, place = entry("agent", "Agent", el("p", { class: "words" })).firstElementChild);
  if (whole) place.textContent = words;
  else append(place, words);
}

function toolStart({ toolCallId, tool, args }) {
  if (!Object.keys(args ?? {}).length && parts.has(toolCallId)) return;
  let card = parts.get(toolCallId);
  if (!card) {
    card = el("details", { class: "tool" }, el("summary", {}, el("b", {}, tool), " ", el("code", {}), " ",
      el("span", { class: "muted small" }, "…")), el("pre", {}));
    parts.set(toolCallId, card);
    entry("agent", "", card);
  }
  const shown = tool === "bash" && args.command ? args.command : JSON.stringify(args);
  card.querySelector("code").textContent = shown === "{}" ? "" : shown;
}

function toolEnd({ toolCallId, tool, result, durationMs, status }) {
  if (!parts.has(toolCallId)) toolStart({ toolCallId, tool, args: {} });
  const card = parts.get(toolCallId);
  card.dataset.status = status;
  card.querySelector("span").textContent = `${status === "error" ? "failed" : "done"} in ${duration(durationMs)}`;
  card.querySelector("pre").textContent = result;
}

const duration = (ms) => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`);

function message({ id: messageId, role, content, parts: pieces }) {
  if (role === "user") {
    if (!parts.has(messageId)) parts.set(messageId, entry("user", "You", el("p", { class: "words" }, content)));
    return;
  }
  for (const [at, piece] of (pieces ?? []).entries()) {
    if (piece.type === "text") text(`${messageId} ${at}`, piece.text, true);
    if (piece.type === "tool") {
      toolStart({ toolCallId: piece.toolCallId, tool: piece.toolName, args: piece.args });
      if (piece.result !== undefined) {
        toolEnd({ ...piece, tool: piece.toolName, durationMs: 0 });
        parts.get(piece.toolCallId).querySelector("span").textContent = piece.status;
      }
    }
  }
}

function status(state, words) {
  $("status").dataset.status = state;
  say("status", words ?? STATUS_WORDS[state] ?? state);
}

function bootStep({ stage, durationMs, error }) {
  if (durationMs === undefined && !error) return;
  $("boot").hidden = false;
  $("boot-steps").append(el("li", { class: error ? "bad" : "ok" }, el("b", {}, stage), " ",
    error ?? duration(durationMs)));
}

// --- What waits for a person ---

const waiting = new Map();

function wait(key, card) {
  waiting.get(key)?.remove();
  waiting.set(key, card);
  $("asked").append(card);
}

function settled(key) {
  waiting.get(key)?.remove();
  waiting.delete(key);
}

/** What is decided about: nothing hidden in it, and none of it behind a scroll bar. */
function shownWhole(text) {
  const pre = el("pre", {});
  pre.textContent = visible(text);
  return pre;
}

function approval({ invocationId, integration, action, riskLevel, params, paramsComplete, callSha256, expiresAt }) {
  // A decision is about the call that is on the screen: another one under this id is refused.
  const decide = (verb) => act(async () => {
    const body = verb === "approve" ? { mode: "once", callSha256 } : { callSha256 };
    await api("POST", `/proliferate/${id}/actions/invocations/${invocationId}/${verb}`, { body: JSON.stringify(body) });
    settled(invocationId);
  });
  const button = (words, kind, verb) => {
    const made = el("button", { type: "button", class: kind }, words);
    made.addEventListener("click", () => decide(verb));
    return made;
  };
  wait(invocationId, el("section", { class: "card ask", "aria-label": "A decision" },
    el("p", {}, el("b", {}, "The agent asks: "), `${integration} / ${action} `,
      el("span", { class: "badge", "data-status": "pending" }, riskLevel)),
    shownWhole(JSON.stringify(params, null, 2)),
    el("p", { class: "muted small" }, `Can be decided until ${new Date(expiresAt).toLocaleTimeString()}.`),
    el("div", { class: "inline" }, paramsComplete && button("Approve once", "", "approve"),
      button("Deny", "quiet", "deny")),
    !paramsComplete && el("p", { class: "small" }, "Parts of the call are left out here, because they look like secrets or " +
      "are long. The dashboard, or `proliferate action approve`, opens the whole call to approve it.")));
}

function envForm({ toolCallId, args }) {
  if (!args?.keys?.length) return;
  const form = el("form", { class: "card ask", autocomplete: "off", "aria-label": "Values for the agent" },
    el("p", {}, el("b", {}, "The agent asks for values. "), "It is told their names, and reads them in its sandbox."));
  for (const [at, { key, description, required, suggestions }] of args.keys.entries()) {
    const field = `env-${toolCallId}-${at}`;
    const list = (suggestions ?? []).filter((choice) => choice.value).map((choice) =>
      el("option", { value: choice.value }, choice.label));
    form.append(el("label", { for: field }, key), el("input", { id: field, name: key, list: `${field}-list`,
      autocomplete: "off", ...(required === false ? {} : { required: "" }) }),
      el("datalist", { id: `${field}-list` }, ...list), description && el("p", { class: "muted small" }, description));
  }
  form.append(el("button", { type: "submit" }, "Give them to the agent"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const envVars = Object.fromEntries([...new FormData(form)].filter(([, value]) => value));
    act(async () => {
      await api("POST", `/v1/sessions/${id}/env`, { body: JSON.stringify({ envVars }) });
      settled(toolCallId);
    });
  });
  wait(toolCallId, form);
}

// --- Frames ---

const frames = {
  init({ messages, status: state, pendingApprovals, envRequests, timeline }) {
    parts.clear();
    for (const place of ["transcript", "asked", "boot-steps"]) $(place).replaceChildren();
    status(state);
    messages.forEach(message);
    (timeline ?? []).forEach(bootStep);
    (pendingApprovals ?? []).forEach(approval);
    (envRequests ?? []).forEach(envForm);
  },
  message,
  token: ({ partId, token: words }) => text(partId, words, false),
  text_part_complete: ({ partId, text: words }) => text(partId, words, true),
  text_snapshot: ({ partId, text: words }) => text(partId, words, true),
  text_void: ({ partId }) => text(partId, "", true),
  tool_start(start) {
    toolStart(start);
    if (start.tool === "request_env_variables") envForm(start);
  },
  tool_end: toolEnd,
  status({ status: state, isIdle, message: words }) {
    status(state, isIdle ? "waits for you" : words);
    if (state === "running" && words === undefined && !isIdle) say("status", "running");
  },
  boot_step: bootStep,
  error: ({ message: words }) => entry("bad", "Problem", el("p", { class: "words" }, words)),
  message_cancelled: () => entry("note", "", el("p", { class: "muted" }, "Cancelled.")),
  action_approval_request: approval,
  action_approval_result({ invocationId, integration, action, status: outcome, approvedBy }) {
    settled(invocationId);
    const words = `${integration} / ${action}: ${outcome}${approvedBy ? ` by ${approvedBy}` : ""}`;
    entry("note", "", el("p", { class: "muted" }, words));
  },
  snapshot_result({ snapshotId, error }) {
    entry("note", "", el("p", { class: "muted" }, error ? `Not saved: ${error}` : `Saved as ${snapshotId}.`));
  },
  title_update: ({ title }) => say("title", title),
};

// --- What a person does ---

/** Does it, and shows what went wrong. */
async function act(work) {
  try {
    await work();
    showProblem("problem", null);
  } catch (problem) {
    showProblem("problem", problem);
  }
}

$("say").addEventListener("submit", (event) => {
  event.preventDefault();
  const content = $("say-text").value;
  if (!content.trim()) return;
  const key = crypto.randomUUID?.() ?? crypto.getRandomValues(new Uint32Array(5)).join("-");
  act(async () => {
    await api("POST", `/proliferate/${id}/message`, { body: JSON.stringify({ content }), "idempotency-key": key });
    $("say-text").value = "";
  });
});
$("say-text").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) $("say").requestSubmit();
});
$("cancel").addEventListener("click", () => act(() => api("POST", `/proliferate/${id}/cancel`)));

async function start() {
  say("id", id);
  if (!token) {
    const detail = "this tab has no token. Open the address that `proliferate dev` prints, then this page from its list.";
    return showProblem("problem", new Problem({ title: "Who are you?", detail }));
  }
  await act(async () => {
    const session = await api("GET", `/v1/sessions/${id}`);
    say("title", session.title ?? "Untitled session");
    say("facts", `${session.sessionType} · ${session.agentConfig.modelId}`);
  });
  await listen(`/proliferate/${id}/events`, token, {
    frame: (frame) => frames[frame.type]?.(frame.payload ?? {}),
    broken: () => status("unknown", "connection lost; trying again"),
    refused: (facts) => showProblem("problem", new Problem(facts)),
  });
}

void start();
