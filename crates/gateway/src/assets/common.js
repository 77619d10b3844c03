// What the pages share: calling the gateway, showing what it says, commands to copy.
//
// Whatever comes from outside is put on the page as text, never as markup.

const ANSWER_WITHIN_MS = 10_000;
const COPIED_SHOWN_MS = 2_000;

export const $ = (id) => document.getElementById(id);

export const answerWithin = () => AbortSignal.timeout(ANSWER_WITHIN_MS);

/** What has no look of its own, or changes how its neighbours look; and a backslash that could begin its code. */
const HIDDEN = /\\(?=u\{)|[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{DI}\p{Noncharacter_Code_Point}\u2800\ufff9-\ufffb\u{13430}-\u{1343f}]/gu;
const code = (char) => `\\u{${char.codePointAt(0).toString(16)}}`;
/** Line breaks stay, and what emoji and scripts are joined by. */
const MAY_STAY = /[\n\t]|(?<=[\u0590-\u{10ffff}])[\u200c\u200d](?=[\u0590-\u{10ffff}])|(?<=[^\0-\xa8])\ufe0f/gu;

/** Text from elsewhere with nothing hidden in it, for what is decided about. */
export const visible = (text) => text.replace(HIDDEN, (char) => (char === "\n" ? char : code(char)));

/** The same for what is read. */
function readable(text) {
  const stays = new Set([...text.matchAll(MAY_STAY)].map(({ index }) => index));
  return text.replace(HIDDEN, (char, index) => (stays.has(index) ? char : code(char)));
}

export function el(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children.filter(Boolean).map((child) => (typeof child === "string" ? readable(child) : child)));
  return element;
}

/** Text in which `backticks` mark code, as the gateway writes its hints and descriptions. */
export const prose = (text) =>
  String(text).split("`").map((part, index) => (index % 2 ? el("code", {}, part) : part));

export const paragraphs = (text) =>
  (text ?? "").split("\n\n").filter(Boolean).map((part) => el("p", {}, ...prose(part)));

/** Changes a live region only when its words change, so that screen readers do not repeat them. */
export function say(id, text) {
  if ($(id).textContent !== text) $(id).textContent = text;
}

const TOKEN_KEY = "proliferate.token";

/** Storage may be switched off: then the token lasts until the page is loaded again. */
function inStorage(work) {
  try { return work(sessionStorage); } catch { return null; }
}

/** The token of this tab, or nothing. */
export const storedToken = () => inStorage((storage) => storage.getItem(TOKEN_KEY)) ?? "";

export const storeToken = (token) =>
  inStorage((storage) => (token ? storage.setItem(TOKEN_KEY, token) : storage.removeItem(TOKEN_KEY)));

/** Takes a token out of `#token=...` and out of the address bar, before the address is copied. */
export function tokenFromAddress() {
  const found = new URLSearchParams(location.hash.slice(1)).get("token");
  if (found !== null) history.replaceState(null, "", location.pathname + location.search);
  return found;
}

/** A problem document, the gateway's or our own. */
export class Problem {
  constructor(facts) { this.facts = facts; }
}

/** Calls the gateway. Whatever goes wrong is thrown as a Problem, so there is one way to show it. */
export async function call(method, path, { body, ...headers } = {}) {
  if (body) headers["content-type"] = "application/json";
  let response, answer;
  try {
    response = await fetch(path, { method, body, headers, signal: answerWithin() });
    answer = response.status === 204 ? null : await response.json();
  } catch {
    throw new Problem(response
      ? { title: "Unexpected answer", detail: `status ${response.status}, but not in the gateway's words.` }
      : { title: "No answer", detail: "the gateway could not be reached. Trying again is safe." });
  }
  if (!response.ok) throw new Problem(answer);
  return answer;
}

export const codeLink = (code) => el("a", { href: `/errors/${encodeURIComponent(code)}` }, code);

/** Shows a problem document in words; null takes it away. */
export function showProblem(id, problem) {
  if (problem && !(problem instanceof Problem)) throw problem; // A mistake of this page, not an answer.
  const { title, detail, hint, code, request_id: request, errors } = problem?.facts ?? {};
  // The same problem again (from a poll) is not read out again; only its request id would differ.
  const summary = problem ? `${code} ${detail}` : "";
  if (($(id).dataset.shown ?? "") === summary) return;
  $(id).dataset.shown = summary;
  // A single refused member is already named by `detail`.
  const members = (errors?.length > 1 ? errors : []).map((e) => el("li", {}, `${e.field}: ${e.message}`));
  $(id).replaceChildren(...(problem ? [el("div", { class: "problem", role: "alert" },
    el("p", {}, el("b", {}, `${title ?? "Problem"}: `), ...prose(detail ?? "")),
    members.length && el("ul", {}, ...members),
    hint && el("p", {}, ...prose(hint)),
    code && el("p", { class: "small" }, "Code ", codeLink(code),
      request && " · request ", request && el("code", {}, request)))] : []));
}

export const shellQuote = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** A command for the shell, an option per line. */
export const curl = (path, ...options) =>
  [`curl ${shellQuote(location.origin + path)}`, ...options].join(" \\\n  ");

/** Copies the text of `source`, or what stands behind it, and says so. */
export async function copyText(button, source, behind) {
  try {
    await navigator.clipboard.writeText(behind || source.textContent);
    say("announce", "Copied.");
    button.dataset.copied = "";
    setTimeout(() => { delete button.dataset.copied; say("announce", ""); }, COPIED_SHOWN_MS);
  } catch {
    // Without https or localhost there is no clipboard: mark the text for the person to copy.
    getSelection().selectAllChildren(source);
    say("announce", "Marked: copy it with the keyboard.");
  }
}
