// The API page: /openapi.json, made readable.

import {
  $, call, codeLink, copyText, curl, el, paragraphs, prose, say, shellQuote, showProblem,
} from "./common.js";

const METHODS = ["get", "post", "put", "patch", "delete"];
const PROBLEM = "application/problem+json";

// --- Schemas ---

let api = {};

const resolve = (schema) => {
  const path = schema.$ref?.slice(2).split("/");
  return path ? resolve(path.reduce((at, step) => at?.[step], api) ?? {}) : schema;
};

const variants = (schema) => (schema.oneOf ?? schema.anyOf ?? []).filter((one) => one.type !== "null");

/** What is left when "list of", "map of" and "or null" are taken away. */
function core(schema) {
  const inner = schema.items ?? (schema.additionalProperties || undefined);
  if (inner) return core(inner);
  return variants(schema).length === 1 ? core(variants(schema)[0]) : schema;
}

function typeName(schema) {
  if (schema.$ref) return members(schema).length ? schema.$ref.split("/").pop() : typeName(resolve(schema));
  const options = schema.oneOf ?? schema.anyOf;
  if (options) return [...new Set(options.map(typeName))].join(" or ");
  const words = {
    string: () => (schema.format ? `text (${schema.format})` : "text"),
    array: () => `list of ${typeName(schema.items ?? {})}`,
    object: () => (schema.additionalProperties ? `map of ${typeName(schema.additionalProperties)}` : "object"),
  };
  return [schema.type ?? "object"].flat().map((name) => words[name]?.() ?? name).join(" or ");
}

/** The members of an object, those of its parts included. */
function members(schema) {
  const own = resolve(schema);
  const required = new Set(own.required);
  const listed = Object.entries(own.properties ?? {}).map(([name, member]) =>
    ({ name, schema: member, required: required.has(name) }));
  return [...listed, ...(own.allOf ?? []).flatMap(members)];
}

/** What a value must satisfy, in words. */
function limits(schema) {
  const from = { ...resolve(core(schema)), ...schema };
  const range = (low, high, what) => (low ?? high) === undefined ? ""
    : `${low === undefined ? "At most" : high === undefined ? "At least" : `${low} to`} ${high ?? low}${what}.`;
  return [
    from.enum && `One of ${from.enum.filter((one) => one !== null).map((one) => `\`${one}\``).join(", ")}.`,
    range(from.minimum, from.maximum, ""),
    range(from.minLength, from.maxLength, " characters"),
    range(from.minItems, from.maxItems, " entries"),
    from.default !== undefined && from.default !== null && `\`${JSON.stringify(from.default)}\` if absent.`,
  ].filter(Boolean).join(" ");
}

/** Builds its content when it is first opened: schemas may contain themselves. */
function expandable(title, build) {
  const details = el("details", { class: "schema" }, el("summary", {}, title));
  details.addEventListener("toggle", () => details.append(...build()), { once: true });
  return details;
}

/** A table row for a member of an object or for a parameter. */
function row({ name, schema, required, description, where }) {
  const inner = core(schema);
  const opens = members(inner).length || variants(resolve(inner)).length > 1;
  const text = description ?? schema.description ?? inner.description ?? resolve(inner).description ?? "";
  return el("tr", {},
    el("th", { scope: "row" }, el("code", {}, name), required && el("span", { class: "must" }, "required")),
    el("td", {}, el("span", { class: "type" }, typeName(schema), where && `, in ${where}`),
      text && el("p", {}, ...prose(text)),
      limits(schema) && el("p", { class: "muted" }, ...prose(limits(schema))),
      opens && expandable(`Members of ${typeName(inner)}`, () => shape(inner))));
}

const table = (caption, rows) =>
  el("table", {}, el("caption", {}, caption), el("tbody", {}, ...rows.map(row)));

/** A schema spelled out: a table of its members, or its variants, or its type. */
function shape(schema) {
  const own = resolve(core(schema));
  if (members(own).length) return [table(typeName(schema), members(own))];
  const several = variants(own);
  if (several.length > 1) return several.map((one) => expandable(typeName(one), () => shape(one)));
  return [el("p", { class: "type" }, typeName(schema)), el("p", { class: "muted" }, ...prose(limits(schema)))];
}

/** A value that fits: the schema's own example, else the members that are required or have one. */
function sample(schema, depth = 0) {
  const own = resolve(core(schema));
  if (schema.example !== undefined) return schema.example;
  if (schema.items) return depth > 2 ? [] : [sample(schema.items, depth + 1)];
  const example = own.example ?? own.default ?? own.enum?.[0];
  if (example !== undefined) return example;
  const listed = members(own);
  const told = listed.filter((member) => member.required || member.schema.example !== undefined);
  const chosen = depth > 3 ? [] : told.length ? told : listed.slice(0, 1);
  if (listed.length) return Object.fromEntries(chosen.map((m) => [m.name, sample(m.schema, depth + 1)]));
  if (variants(own).length) return depth > 3 ? null : sample(variants(own)[0], depth + 1);
  return { integer: own.minimum ?? 1, number: 1, boolean: true, object: {} }[[own.type].flat()[0]] ?? "text";
}

// --- Operations ---

const tagsOf = (operation) => operation && (operation.tags ?? ["other"]);

const needsToken = (operation) => (operation.security ?? api.security ?? []).some((one) => "bearer" in one);

function example(method, path, operation, body) {
  const options = method === "get" ? [] : [`-X ${method.toUpperCase()}`];
  if (needsToken(operation)) options.push('-H "Authorization: Bearer $PROLIFERATE_TOKEN"');
  for (const parameter of operation.parameters ?? [])
    if (parameter.in === "header") options.push(`-H '${parameter.name}: ${crypto.randomUUID?.() ?? "KEY"}'`);
  const json = body && shellQuote(JSON.stringify(sample(body)));
  if (body) options.push("-H 'Content-Type: application/json'", `-d ${json}`);
  return curl(path.replaceAll(/[{](\w+)[}]/g, (_, name) => name.toUpperCase()), ...options);
}

function response([status, { description, content = {} }]) {
  const [media, { schema } = {}] = Object.entries(content)[0] ?? [];
  const codes = media === PROBLEM ? description.split(", ").flatMap((code) => [" ", codeLink(code)]) : null;
  return el("li", {}, el("b", { class: status < 400 ? "good" : "wrong" }, status), " ",
    ...(codes ?? prose(description)), !codes && media && el("span", { class: "muted small" }, ` ${media}`),
    !codes && schema && expandable(`Body: ${typeName(schema)}`, () => shape(schema)));
}

function drawOperation(method, path, operation) {
  const body = operation.requestBody?.content?.["application/json"]?.schema;
  const parameters = (operation.parameters ?? []).map((one) => ({ ...one, where: one.in }));
  const command = el("pre", { tabindex: "0" }, example(method, path, operation, body));
  const copy = el("button", { type: "button", class: "quiet" }, "Copy");
  copy.addEventListener("click", () => copyText(copy, command));
  const responses = Object.entries(operation.responses ?? {});
  const problems = responses.some(([, one]) => one.content?.[PROBLEM]);
  const details = el("details", { class: "operation", id: operation.operationId },
    el("summary", {}, el("span", { class: "method", "data-method": method }, method.toUpperCase()),
      el("code", {}, path), el("span", { class: "muted" }, ...prose(operation.summary ?? ""))),
    ...paragraphs(operation.description),
    el("p", { class: "small muted" }, needsToken(operation) ? "Needs a token. " : "Needs no token. ",
      el("a", { href: `#${operation.operationId}` }, `Link to ${operation.operationId}`)),
    parameters.length && table("Parameters", parameters),
    body && el("h3", {}, "Request body"),
    ...(body ? [...paragraphs(resolve(body).description), ...shape(body)] : []),
    el("h3", {}, "Answers"), el("ul", { class: "answers" }, ...responses.map(response)),
    problems && expandable("Body of every problem", () => shape({ $ref: "#/components/schemas/Problem" })),
    el("h3", {}, "Example"), command, copy);
  details.dataset.text = [method, path, operation.operationId, operation.summary, operation.description,
    operation.tags].join(" ").toLowerCase();
  return details;
}

function drawGroup({ name, description }) {
  const drawn = Object.entries(api.paths).flatMap(([path, item]) => METHODS
    .filter((method) => tagsOf(item[method])?.includes(name))
    .map((method) => drawOperation(method, path, item[method])));
  return el("section", { id: `tag-${name}`, "aria-label": name },
    el("h2", {}, name), el("p", { class: "muted" }, ...prose(description ?? "")), ...drawn);
}

const all = () => [...document.querySelectorAll(".operation")];

function filter() {
  const words = $("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const one of all()) one.hidden = !words.every((word) => one.dataset.text.includes(word));
  for (const group of $("operations").children) group.hidden = !group.querySelector(".operation:not([hidden])");
  const shown = all().filter((one) => !one.hidden).length;
  say("found", shown === all().length ? `${shown} operations.` : `${shown} of ${all().length} operations.`);
}

/** Opens the operation the address names; a closed one would be a link to nowhere. */
function follow() {
  const target = $(decodeURIComponent(location.hash.slice(1)));
  if (!target?.closest("#operations")) return;
  if (target.hidden) { $("filter").value = ""; filter(); }
  target.open = true;
  target.scrollIntoView();
}

async function drawDocs() {
  try {
    api = await call("GET", "/openapi.json");
  } catch (problem) {
    say("found", "There is nothing to show.");
    return showProblem("docs-problem", problem);
  }
  say("version", api.info.version);
  $("about").replaceChildren(...paragraphs(api.info.description));
  const known = api.tags ?? [];
  const used = Object.values(api.paths).flatMap((item) => METHODS.flatMap((m) => tagsOf(item[m]) ?? []));
  const others = [...new Set(used)].filter((name) => !known.some((tag) => tag.name === name));
  const groups = [...known, ...others.map((name) => ({ name }))];
  $("tags").replaceChildren(...groups.map(({ name }) => el("a", { href: `#tag-${name}` }, name)));
  $("operations").replaceChildren(...groups.map(drawGroup));
  filter();
  follow();
  $("filter").addEventListener("input", filter);
  $("open-all").addEventListener("click", () => all().forEach((one) => { one.open = true; }));
  $("close-all").addEventListener("click", () => all().forEach((one) => { one.open = false; }));
  addEventListener("hashchange", follow);
}

void drawDocs();
