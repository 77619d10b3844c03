// Written by Proliferate when the sandbox starts; whatever is changed here is lost.
//
// The result of `request_env_variables`. It calls no service: the gateway sees the call in the agent's events and
// shows the form. Its arguments are checked here, because no other code could report an error to the agent.
const RESERVED: string[] = __RESERVED__
const RESERVED_PREFIXES: string[] = __RESERVED_PREFIXES__
const ENV_FILE = __ENV_FILE__

type Key = { key: string; required?: boolean }
type Checked = {
  success: boolean
  data?: { keys: Key[] }
  error?: { issues: { path: PropertyKey[]; message: string }[] }
}

export function announce(schema: { safeParse(given: unknown): Checked }, given: unknown): string {
  const checked = schema.safeParse(withoutNulls(given))
  if (!checked.success || !checked.data) {
    const faults = (checked.error?.issues ?? []).map((issue) => `${issue.path.join(".") || "args"}: ${issue.message}`)
    throw new Error(`Invalid arguments: ${faults.join("; ")}`)
  }
  const { keys } = checked.data
  const reserved = keys.find(({ key }) => isReserved(key))
  if (reserved) throw new Error(`Invalid arguments: keys: \`${reserved.key}\` is set by the platform`)
  const names = keys.map(({ key, required }) => (required === false ? `${key} (optional)` : key))
  return [
    `Asked for ${names.join(", ")}. The person sees a form now, and a message follows when they have answered.`,
    `Do what can be done meanwhile; if nothing is left, end your turn and say what you wait for.`,
    `The values will be in ${ENV_FILE}. Never print that file. Take out single keys:`,
    `jq -r '.NAME' ${ENV_FILE}`,
  ].join("\n")
}

// Compared without regard to capitals, as the gateway does.
function isReserved(key: string): boolean {
  const name = key.toUpperCase()
  return RESERVED.includes(name) || RESERVED_PREFIXES.some((prefix) => name.startsWith(prefix))
}

// Models write null for what they leave out.
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (value === null || typeof value !== "object") return value
  const present = Object.entries(value).filter(([, member]) => member !== null)
  return Object.fromEntries(present.map(([name, member]) => [name, withoutNulls(member)]))
}
