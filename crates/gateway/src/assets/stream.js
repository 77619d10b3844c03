// Listens to a stream of events, and again from the last one seen when it breaks. The browser's own EventSource
// cannot send a token.

const PAUSES_MS = [1_000, 2_000, 5_000, 10_000, 30_000];

/** Never returns while coming back makes sense. */
export async function listen(path, token, { frame, broken, refused }) {
  let seen = null;
  for (let tries = 0; ; tries += 1) {
    try {
      const query = seen === null ? "" : `?after=${seen}`;
      const response = await fetch(path + query, { headers: { authorization: `Bearer ${token}` } });
      if (response.status >= 400 && response.status < 500 && response.status !== 429) {
        return refused(await response.json());
      }
      if (response.ok) {
        for await (const event of events(response.body)) {
          tries = 0;
          const heard = JSON.parse(event);
          seen = heard.type === "init" ? heard.payload.seq : heard.seq ?? seen;
          frame(heard);
        }
      }
    } catch { /* A stream that breaks is come back to. */ }
    broken();
    await new Promise((done) => setTimeout(done, PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)]));
  }
}

/** The data of each event; an empty line ends one. */
async function* events(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let held = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    held += value;
    const whole = held.split("\n\n");
    held = whole.pop();
    for (const event of whole) {
      const data = event.split("\n").filter((line) => line.startsWith("data:"));
      if (data.length) yield data.map((line) => line.slice(5).trimStart()).join("\n");
    }
  }
}
