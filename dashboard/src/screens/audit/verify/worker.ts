// Verifies apart from the page, which stays quick meanwhile.
import { Fault, type FaultFacts, openNote, type Progress, type Report, readKey, verify } from ".";
import type { Hash } from "./bytes";
import { whyNot } from "./bytes";

export type Task = { file: Blob; key: string; kept?: string; continuation?: Hash[] };
export type Told =
  | { is: "progress"; progress: Progress }
  | { is: "good"; report: Report }
  | { is: "bad"; fault: FaultFacts }
  | { is: "cannot"; reason: string };

/** So that a long log does not send a message for each record. */
const TELL_EVERY_MS = 100;

async function* chunks(file: Blob) {
  const reader = file.stream().getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

async function run({ file, key: keyText, kept: note, continuation }: Task): Promise<Told> {
  const cannot = await whyNot();
  if (cannot) return { is: "cannot", reason: cannot };
  try {
    const key = await readKey(keyText);
    const kept = note ? await openNote(note, key) : undefined;
    let last = 0;
    const report = await verify(chunks(file), { key, kept, continuation }, (progress) => {
      const now = performance.now();
      if (now - last < TELL_EVERY_MS) return;
      last = now;
      postMessage({ is: "progress", progress } satisfies Told);
    });
    return { is: "good", report };
  } catch (error) {
    if (error instanceof Fault) return { is: "bad", fault: error.facts };
    return { is: "cannot", reason: error instanceof Error ? error.message : String(error) };
  }
}

addEventListener("message", ({ data }: MessageEvent<Task>) => {
  void run(data).then((told) => postMessage(told));
});
