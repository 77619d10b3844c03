// Written by Proliferate when the sandbox starts; whatever is changed here is lost.
//
// Asks the gateway to do the work of a tool, and waits. The same call id goes with every try, so that the
// work is done once however often it is asked for: a try that comes while it is under way joins it, one that
// comes later gets its answer. Runs in Bun, whose errors have no common form: whatever throws is tried again.
import { readFileSync } from "node:fs"

const ATTEMPT_MS = __ATTEMPT_MS__
const DEADLINE_MS = __DEADLINE_MS__
const PAUSE_FIRST_MS = __PAUSE_FIRST_MS__
const PAUSE_MAX_MS = __PAUSE_MAX_MS__
const INTERNAL_MAX = __INTERNAL_MAX__
const OWNER_HOPS_MAX = __OWNER_HOPS_MAX__
const ANSWER_BYTES_MAX = __ANSWER_BYTES_MAX__
const REFUSAL_LENGTH_MAX = __REFUSAL_LENGTH_MAX__
const VERSION_HEADER = __VERSION_HEADER__

type Tool = { name: string; version: number }
type Context = {
  // Not in the published type, but there: the id of the model's own call.
  callID?: string
  abort: AbortSignal
  metadata?: (shown: { title?: string }) => void
}
type Answer = { success: boolean; result: string; data?: Record<string, unknown> }
type Settings = { gateway: URL; session: string; token: string }
type Reply =
  | { kind: "answer"; answer: Answer }
  | { kind: "refused"; text: string }
  | { kind: "moved"; owner: string }
  | { kind: "again"; why: string; afterMs?: number; internal?: boolean }

const inFlight = new Map<string, Promise<Answer>>()

export async function callGateway(tool: Tool, args: unknown, context: object) {
  const ctx = context as Context
  const id = ctx.callID ?? crypto.randomUUID()
  const key = `${tool.name} ${id}`
  let call = inFlight.get(key)
  if (!call) {
    call = settle(tool, id, args, ctx).finally(() => inFlight.delete(key))
    inFlight.set(key, call)
  }
  const answer = await call
  // A thrown error marks the call as failed, for the model and for the session's clients.
  if (!answer.success) throw new Error(answer.result)
  return { title: tool.name, output: answer.result, metadata: { toolCallId: id, data: answer.data ?? {} } }
}

// Tries until there is an answer or no time is left. Time is counted while awake: a sandbox that was frozen
// for an hour still has what it had, because one try never counts for more than it may take.
async function settle(tool: Tool, id: string, args: unknown, ctx: Context): Promise<Answer> {
  const body = JSON.stringify({ tool_call_id: id, args })
  let owner: URL | undefined
  let spentMs = 0
  let pauseMs = PAUSE_FIRST_MS
  let hops = 0
  let internal = 0
  for (;;) {
    if (ctx.abort.aborted) throw new Error("The call was cancelled.")
    const settings = readSettings()
    if (typeof settings === "string") return { success: false, result: settings }
    const base = owner ?? settings.gateway
    const begun = Date.now()
    const reply = await ask(tool, base, settings, body, ctx.abort)
    spentMs += Math.min(Math.max(Date.now() - begun, 0), ATTEMPT_MS)
    if (reply.kind === "answer") return reply.answer
    if (reply.kind === "refused") return { success: false, result: reply.text }
    if (reply.kind === "moved") {
      const next = acceptOwner(base, reply.owner)
      if (typeof next === "string") return { success: false, result: next }
      hops += 1
      if (hops <= OWNER_HOPS_MAX) {
        owner = next
        continue
      }
    }
    // No response: the gateway knows the session's current owner.
    owner = undefined
    hops = 0
    internal = reply.kind === "again" && reply.internal ? internal + 1 : 0
    const why = reply.kind === "again" ? reply.why : "the session's owner keeps changing"
    const leftMs = DEADLINE_MS - spentMs
    if (leftMs <= 0 || internal >= INTERNAL_MAX) return { success: false, result: unanswered(why) }
    ctx.metadata?.({ title: `${tool.name}: ${why}, trying again` })
    const jittered = pauseMs * (0.8 + 0.4 * Math.random())
    const asked = reply.kind === "again" ? reply.afterMs : undefined
    const waitMs = Math.min(Math.max(asked ?? 0, jittered), leftMs)
    await pause(waitMs, ctx.abort)
    spentMs += waitMs
    pauseMs = asked === undefined ? Math.min(pauseMs * 2, PAUSE_MAX_MS) : PAUSE_FIRST_MS
  }
}

async function ask(tool: Tool, base: URL, settings: Settings, body: string, abort: AbortSignal): Promise<Reply> {
  const path = `/proliferate/${encodeURIComponent(settings.session)}/tools/${encodeURIComponent(tool.name)}`
  try {
    const response = await fetch(base.href.replace(/\/+$/, "") + path, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Authorization: `Bearer ${settings.token}`,
        [VERSION_HEADER]: String(tool.version),
      },
      body,
      // The token goes where we send it and nowhere else.
      redirect: "manual",
      signal: AbortSignal.any([abort, AbortSignal.timeout(ATTEMPT_MS)]),
    })
    const text = await readBounded(response)
    return judge(response, text, settings.token)
  } catch (error) {
    if (abort.aborted) throw new Error("The call was cancelled.")
    return { kind: "again", why: transportFailure(error) }
  }
}

function judge(response: Response, text: string, token: string): Reply {
  const afterMs = retryAfter(response.headers.get("retry-after"))
  if (response.status === 202) return { kind: "again", why: "the work is under way", afterMs }
  const body = parse(text)
  if (response.ok) {
    // Cut off on the way: the whole answer is asked for again.
    if (body === undefined) return { kind: "again", why: "the answer was cut off", afterMs }
    const { success, result, data } = body as Partial<Answer>
    if (typeof result !== "string") return { kind: "refused", text: "The gateway gave an answer without a result." }
    return { kind: "answer", answer: { success: success !== false, result, data } }
  }
  const owner = body?.ownerUrl ?? body?.owner_url
  if (response.status === 409 && typeof owner === "string") return { kind: "moved", owner }
  // A restored sandbox is given a new token while old calls still wait.
  if (response.status === 401 && readSettingsToken() !== token) return { kind: "again", why: "the token has changed" }
  const again = { kind: "again" as const, why: `the gateway answered ${response.status}`, afterMs }
  const temporary = [408, 425, 429, 502, 503, 504].includes(response.status)
  const verdict = typeof body?.retryable === "boolean" ? body.retryable : temporary || response.status >= 500
  if (verdict) return { ...again, internal: response.status >= 500 && !temporary }
  return { kind: "refused", text: refusal(response.status, body, text) }
}

function refusal(status: number, body: Record<string, unknown> | undefined, text: string): string {
  const said = [body?.detail, body?.message, body?.result].find((part) => typeof part === "string")
  const faults = Array.isArray(body?.errors) ? body.errors : []
  const named = faults.map((fault) => `${fault?.field}: ${fault?.message}`)
  const unsaid = named.filter((fault) => typeof said !== "string" || !said.includes(fault))
  const whole = [said ?? text, ...unsaid].join("\n")
  return `Gateway error ${status}: ${whole.slice(0, REFUSAL_LENGTH_MAX)}`
}

function unanswered(why: string): string {
  return `The gateway did not answer in time (${why}). The work may have been done all the same: look before you call again.`
}

function acceptOwner(base: URL, named: string): URL | string {
  const refused = "The gateway named an owner of this session that cannot be asked."
  const url = URL.canParse(named) ? new URL(named) : undefined
  if (!url || !["http:", "https:"].includes(url.protocol)) return refused
  if (url.username || url.password || url.search || url.hash) return refused
  if (base.protocol === "https:" && url.protocol !== "https:") return refused
  return url
}

function readSettings(): Settings | string {
  const gateway = process.env.PROLIFERATE_GATEWAY_URL ?? ""
  const session = process.env.PROLIFERATE_SESSION_ID ?? ""
  const token = readSettingsToken()
  if (!URL.canParse(gateway)) return "This tool cannot reach the gateway: PROLIFERATE_GATEWAY_URL is not set."
  if (!session) return "This tool cannot reach the gateway: PROLIFERATE_SESSION_ID is not set."
  if (!token) return "This tool cannot reach the gateway: SANDBOX_MCP_AUTH_TOKEN is not set."
  return { gateway: new URL(gateway), session, token }
}

// The file goes before the variable, because a file can be replaced while this runs.
function readSettingsToken(): string {
  const file = process.env.SANDBOX_MCP_AUTH_TOKEN_FILE
  try {
    if (file) return readFileSync(file, "utf8").trim()
  } catch {}
  return process.env.SANDBOX_MCP_AUTH_TOKEN ?? ""
}

async function readBounded(response: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of response.body ?? []) {
    bytes += part.length
    if (bytes > ANSWER_BYTES_MAX) throw new Error("the answer is too long")
    parts.push(part)
  }
  return new TextDecoder().decode(Buffer.concat(parts))
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(text)
    return value !== null && typeof value === "object" ? value : undefined
  } catch {
    return undefined
  }
}

// Seconds or a date, as milliseconds from now.
function retryAfter(header: string | null): number | undefined {
  if (header === null) return undefined
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isFinite(ms) ? Math.max(ms, 0) : undefined
}

function transportFailure(error: unknown): string {
  const { name, code } = error as { name?: string; code?: unknown }
  if (name === "TimeoutError") return "the gateway is silent"
  return `the connection failed (${typeof code === "string" ? code : (name ?? "unknown")})`
}

function pause(ms: number, abort: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancelled = () => reject(new Error("The call was cancelled."))
    // A signal that has fired does not fire again.
    if (abort.aborted) return cancelled()
    const stop = () => {
      clearTimeout(timer)
      cancelled()
    }
    const timer = setTimeout(() => {
      abort.removeEventListener("abort", stop)
      resolve()
    }, ms)
    abort.addEventListener("abort", stop, { once: true })
  })
}
