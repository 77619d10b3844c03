// The first page of the gateway: shows that it works, through the public API and nothing else.
//
// Whatever comes from outside is put on the page as text, never as markup. The token belongs to this
// tab: it arrives in the address fragment (which browsers do not send) or in the field, is kept in
// sessionStorage, and leaves only as a header to this origin.

import {
  $, answerWithin, call, copyText, curl, el, Problem, say, shellQuote, showProblem,
  storedToken, storeToken, tokenFromAddress,
} from "./common.js";

const READY_EVERY_MS = 3_000;
const SESSIONS_EVERY_MS = 10_000;
const PAGE_SIZE = 10;
const PAGE_SIZE_MAX = 100; // The API's own limit.
const STATUS_WORDS = {
  pending: "waits for a sandbox",
  starting: "its sandbox is starting",
  running: "the agent can work",
};

let token = "";
let signIn = 0; // Counts sign-ins: an answer that belongs to an earlier token is dropped.
let draft = newDraft();
let sessions = [];
let older = null; // The cursor of the next page, if there is one.

const api = (method, path, extra) => call(method, path, { ...extra, authorization: `Bearer ${token}` });

// --- Readiness ---

async function checkReady() {
  let answer = null;
  try {
    const response = await fetch("/ready", { signal: answerWithin() });
    answer = await response.json(); // Not ready is 503, with the checks all the same.
  } catch { /* No answer is an answer: see below. */ }
  const before = $("ready-state").dataset.state;
  const state = answer === null ? "unreachable" : answer.status === "ready" ? "ready" : "not-ready";
  $("ready-state").dataset.state = state;
  say("ready-state", {
    ready: "Ready: everything a request needs answers.",
    "not-ready": `Not ready: ${answer?.detail ?? "something it needs does not answer."}`,
    unreachable: "The gateway cannot be reached. Trying again every few seconds.",
  }[state]);
  // What held before the gateway went silent may not hold now, so then no check is shown.
  $("ready-checks").replaceChildren(...(answer?.checks ?? []).map((check) =>
    el("li", { class: check.ok ? "ok" : "bad" },
      el("b", {}, check.name), el("span", {}, check.ok ? "ok" : "fails"),
      el("span", { class: "muted" }, `${check.durationMs || "<1"} ms`),
      check.detail && el("p", {}, check.detail))));
  say("ready-time", `Last asked at ${new Date().toLocaleTimeString("en-GB")}.`);
  if (before === "unreachable" && state !== "unreachable" && token) await load();
}

// --- Who am I ---

async function useToken(text) {
  const given = text.trim().replace(/^bearer\s+/i, "");
  if (/[^\x21-\x7e]/.test(given)) {
    const detail = "a token has no spaces inside and no letters outside ASCII.";
    return showProblem("me-problem", new Problem({ title: "Not a token", detail }));
  }
  token = given;
  storeToken(token);
  $("token").value = "";
  draft = newDraft();
  await load();
}

function describe(me) {
  const organization = `organization ${me.organizationId}`;
  if (me.kind === "service") return `You are the service ${me.name} of ${organization}.`;
  if (me.kind === "sandbox") return `You are the agent in session ${me.sessionId} of ${organization}.`;
  return `You are ${me.name ?? me.userId}, ${me.role} of ${organization}.`;
}

/** Everything that depends on who asks. */
async function load() {
  const mine = ++signIn;
  $("token-forget").hidden = !token;
  $("create-fields").disabled = $("sessions-refresh").disabled = true;
  $("created").replaceChildren();
  document.querySelectorAll("[id$=-problem]").forEach((slot) => showProblem(slot.id, null));
  showSessions([], null);
  say("sessions-note", "The sessions of your organization appear here once you have given a token.");
  if (!token) return say("me", "The gateway does not know you yet: give it a token.");
  say("me", "Asking who you are …");
  try {
    const me = await api("GET", "/v1/me");
    if (mine === signIn) say("me", describe(me));
  } catch (problem) {
    if (mine !== signIn) return;
    say("me", "The gateway could not tell who you are.");
    return showProblem("me-problem", problem);
  }
  if (mine === signIn) await Promise.all([loadModels(), loadSessions()]);
}

// --- Making a session ---

/** One thing to happen once: its key, how often it was sent, whether this page saw it being made. */
function newDraft() {
  // randomUUID exists only on https and localhost; elsewhere any unique text will do.
  const key = crypto.randomUUID?.() ?? crypto.getRandomValues(new Uint32Array(5)).join("-");
  return { key, sent: 0, made: false };
}

async function loadModels() {
  const mine = signIn;
  try {
    const { models } = await api("GET", "/v1/models");
    if (mine !== signIn) return;
    $("model").replaceChildren(...models.map((model) =>
      new Option(model.displayName, model.id, model.isDefault, model.isDefault)));
    $("create-fields").disabled = false;
    showCurl();
  } catch (problem) {
    if (mine === signIn) showProblem("create-problem", problem);
  }
}

function requestBody() {
  const form = { title: $("title").value, initialPrompt: $("prompt").value, modelId: $("model").value };
  return JSON.stringify(Object.fromEntries(Object.entries(form).filter(([, text]) => text.trim())));
}

/** Sends the form. It may be sent again while an answer is outstanding: that is what the key is for. */
async function createSession() {
  const [mine, sending] = [signIn, draft];
  sending.sent += 1;
  showProblem("create-problem", null);
  $("created").replaceChildren(el("p", { class: "muted" }, "Creating …"));
  try {
    const extra = { body: requestBody(), "idempotency-key": sending.key };
    const answer = await api("POST", "/proliferate/sessions", extra);
    if (mine !== signIn) return;
    sending.made ||= !answer.alreadyExisted;
    const words = !sending.made ? "This key had made the session before; nothing new was made."
      : sending.sent > 1 ? `Sent ${sending.sent} times with one key; after the first, it already existed.`
      : "Press the button again if you like: the same key makes no second session.";
    $("created").replaceChildren(el("div", { class: "success" },
      el("p", {}, el("b", {}, sending.made ? "Created once. " : "Already existed. "), words),
      el("p", { class: "small" }, "Session ", el("code", {}, answer.sessionId))));
    await loadSessions();
  } catch (problem) {
    if (mine !== signIn) return;
    $("created").replaceChildren();
    showProblem("create-problem", problem);
  }
}

// --- The list ---

function age(at) {
  const seconds = Math.max(0, (Date.now() - Date.parse(at)) / 1000); // Our clock may be behind.
  const unit = [["day", 86_400], ["hour", 3_600], ["minute", 60]].find(([, size]) => seconds >= size);
  const format = new Intl.RelativeTimeFormat("en");
  return unit ? format.format(-Math.floor(seconds / unit[1]), unit[0]) : "just now";
}

function sessionRow(session) {
  const name = session.title ?? "Untitled session";
  const state = session.reason ?? STATUS_WORDS[session.status];
  const facts = [session.sessionType, session.agentConfig.modelId, state].filter(Boolean).join(" · ");
  const stop = el("button", { type: "button", class: "quiet", "aria-label": `Stop ${name}` }, "Stop");
  stop.addEventListener("click", () => stopSession(session.id, name));
  return el("li", { tabindex: "-1", "data-id": session.id },
    el("span", { class: "badge", "data-status": session.status }, session.status),
    el("div", {}, el("b", {}, el("a", { href: `/session/${session.id}` }, name)), el("p", { class: "muted small" }, facts),
      session.initialPrompt && el("p", { class: "small prompt" }, session.initialPrompt),
      el("code", { class: "small" }, session.id)),
    el("time", { class: "muted small", datetime: session.createdAt }, age(session.createdAt)),
    session.status !== "stopped" && stop);
}

/** Draws the list anew and leaves the keyboard in the row it was in. */
function showSessions(list, cursor) {
  const held = document.activeElement?.closest("#sessions li")?.dataset.id;
  const onButton = document.activeElement?.tagName === "BUTTON";
  [sessions, older] = [list, cursor];
  $("sessions").replaceChildren(...list.map(sessionRow));
  $("sessions-older").hidden = cursor === null;
  const row = [...$("sessions").children].find((item) => item.dataset.id === held);
  if (row) ((onButton && row.querySelector("button")) || row).focus();
  showCurl();
}

let listing = Promise.resolve();
/** Loads one after the other: a refresh and a next page at once would undo each other. */
function loadSessions(next = false) {
  return (listing = listing.then(() => loadPage(next)));
}

/** Gets what is shown anew, or the page behind it. */
async function loadPage(next) {
  const mine = signIn;
  if (!sessions.length) say("sessions-note", "Loading …");
  const limit = next ? PAGE_SIZE : Math.min(Math.max(sessions.length, PAGE_SIZE), PAGE_SIZE_MAX);
  try {
    const query = new URLSearchParams(next && older ? { limit, cursor: older } : { limit });
    const { items, nextCursor = null } = await api("GET", `/v1/sessions?${query}`);
    if (mine !== signIn) return;
    const known = sessions.length;
    showSessions(next ? [...sessions, ...items] : items, nextCursor);
    if (next) $("sessions").children[known]?.focus(); // The button may be gone: read on from here.
    showProblem("sessions-problem", null);
    $("sessions-refresh").disabled = false;
    say("sessions-note", sessions.length ? `Newest first, ${sessions.length} shown.`
      : "No sessions yet. The form makes the first one.");
  } catch (problem) {
    if (mine !== signIn) return;
    say("sessions-note", sessions.length ? "The list may be out of date." : "");
    showProblem("sessions-problem", problem);
  }
}

async function stopSession(id, name) {
  say("stop-name", name);
  $("stop-dialog").returnValue = "keep"; // Escape leaves the value as it is.
  $("stop-dialog").showModal();
  await new Promise((closed) => $("stop-dialog").addEventListener("close", closed, { once: true }));
  if ($("stop-dialog").returnValue !== "stop") return;
  try {
    await api("DELETE", `/v1/sessions/${id}`);
    showProblem("stop-problem", null);
    say("announce", `${name} is stopped.`);
    await loadSessions();
  } catch (problem) {
    showProblem("stop-problem", problem);
  }
}

// --- The same with curl ---

function showCurl() {
  const bearer = '-H "Authorization: Bearer $PROLIFERATE_TOKEN"';
  const live = sessions.find((session) => session.status !== "stopped");
  say("key", draft.key);
  say("curl-ready", curl("/ready"));
  say("curl-token", `export PROLIFERATE_TOKEN='${token ? "•".repeat(12) : "your token"}'`);
  say("curl-me", curl("/v1/me", bearer));
  say("curl-create", curl("/proliferate/sessions", bearer, "-H 'Content-Type: application/json'",
    `-H 'Idempotency-Key: ${draft.key}'`, `-d ${shellQuote(requestBody())}`));
  say("curl-list", curl(`/v1/sessions?limit=${PAGE_SIZE}`, bearer));
  say("curl-stop", curl(`/v1/sessions/${live?.id ?? "SESSION_ID"}`, bearer, "-X DELETE"));
}

/** Copies what a button names. The token is shown as dots and copied as it is. */
function copy({ target }) {
  const source = target.dataset.copy;
  const behind = source === "curl-token" && token && `export PROLIFERATE_TOKEN='${token}'`;
  if (source) void copyText(target, $(source), behind);
}

// --- Start ---

/** Repeats while the tab is visible; a hidden tab sends no requests. */
function every(ms, work) {
  const turn = () => (document.hidden ? Promise.resolve() : work()).finally(() => setTimeout(turn, ms));
  void turn();
}

function newKey() {
  draft = newDraft();
  showCurl();
}

const on = (id, event, work) => $(id).addEventListener(event, work);
on("token-form", "submit", (event) => { event.preventDefault(); void useToken($("token").value); });
on("token-forget", "click", () => { $("token").focus(); void useToken(""); });
on("create-form", "submit", (event) => { event.preventDefault(); void createSession(); });
on("create-form", "input", newKey);
on("key-new", "click", newKey);
on("sessions-refresh", "click", () => loadSessions());
on("sessions-older", "click", () => loadSessions(true));
document.addEventListener("click", copy);
addEventListener("hashchange", () => { const found = tokenFromAddress(); if (found) void useToken(found); });

void useToken(tokenFromAddress() ?? storedToken());
every(READY_EVERY_MS, checkReady);
every(SESSIONS_EVERY_MS, async () => { if (sessions.length) await loadSessions(); });
