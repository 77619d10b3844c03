// Runs a tool's module the way the agent does, in the agent's own runtime.
// Arguments: a JSON object {module, calls: [args], callID, abortAfterMs, abortWhenShown, abortWhenDone}.
const order = JSON.parse(process.argv[2])
const { default: tool } = await import(order.module)
const abort = new AbortController()
const titles = []
const context = {
  ...(order.callID === undefined ? {} : { callID: order.callID }),
  sessionID: "ses_1",
  messageID: "msg_1",
  agent: "build",
  abort: abort.signal,
  metadata: (shown) => {
    titles.push(shown.title)
    if (order.abortWhenShown) abort.abort()
  },
}
if (order.abortAfterMs !== undefined) setTimeout(() => abort.abort(), order.abortAfterMs)
const begun = Date.now()
const outcomes = await Promise.all(
  order.calls.map((args) =>
    Promise.resolve()
      .then(() => tool.execute(args, context))
      .then(
        (value) => ({ value }),
        (error) => ({ error: String(error?.message ?? error) }),
      ),
  ),
)
const ms = Date.now() - begun
if (order.abortWhenDone) {
  abort.abort()
  await new Promise((resolve) => setTimeout(resolve, 50))
}
console.log(JSON.stringify({ outcomes, ms, titles }))
