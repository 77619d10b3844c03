import { useEffect, useRef, useState } from "react";
import { api, body } from "@/api/client";
import { sizeOf } from "./kept";
import { peek } from "./verify";
import type { FaultFacts } from "./verify/fault";
import type { Progress, Report } from "./verify/report";
import type { Task, Told } from "./verify/worker";

export type Standing =
  | { is: "idle" }
  | { is: "running"; progress: Progress; bytes: number }
  | { is: "good"; report: Report; against: { key: "given" | "file"; kept?: number } }
  | { is: "bad"; fault: FaultFacts }
  | { is: "cannot"; reason: string };

export type Asked = { file: File; key: string; kept: string };

/** The proof that the log goes on from a kept checkpoint, if the gateway gives one. It is checked like the rest. */
async function continuation(kept: string, bundle: string): Promise<string[] | undefined> {
  const [from, to] = [sizeOf(kept), sizeOf(bundle)];
  if (!(from > 0 && from < to)) return undefined;
  try {
    const { proof } = await body(api.GET("/v1/audit/consistency", { params: { query: { from, to } } }));
    return proof;
  } catch {
    // Without it the bundle itself has to show it, and the verdict says so if it does not.
    return undefined;
  }
}

async function* beginning(file: File) {
  yield new Uint8Array(await file.slice(0, 1024 * 1024).arrayBuffer());
}

export function useVerification() {
  const [standing, setStanding] = useState<Standing>({ is: "idle" });
  const worker = useRef<Worker | null>(null);
  const stop = () => {
    worker.current?.terminate();
    worker.current = null;
  };
  useEffect(() => () => worker.current?.terminate(), []);
  const verify = async ({ file, key, kept }: Asked) => {
    stop();
    setStanding({ is: "running", progress: { records: 0, bytes: 0 }, bytes: file.size });
    let task: Task;
    try {
      const header = await peek(beginning(file));
      const note = kept.trim() ? `${kept.trim()}\n` : undefined;
      const proof = note ? await continuation(note, header.checkpoint) : undefined;
      task = { file, key: key.trim() || header.verifierKey, kept: note, continuation: proof };
    } catch (error) {
      const reason = error instanceof Error ? error.message.replace(/^line 1: /, "") : String(error);
      return setStanding({ is: "bad", fault: { line: 1, reason } });
    }
    const started = new Worker(new URL("./verify/worker.ts", import.meta.url), { type: "module" });
    worker.current = started;
    started.onmessage = ({ data: told }: MessageEvent<Told>) => {
      if (told.is === "progress")
        return setStanding({ is: "running", progress: told.progress, bytes: file.size });
      stop();
      if (told.is !== "good") return setStanding(told);
      const against = {
        key: key.trim() ? ("given" as const) : ("file" as const),
        kept: task.kept ? sizeOf(task.kept) : undefined,
      };
      setStanding({ is: "good", report: told.report, against });
    };
    started.onerror = (error) => {
      stop();
      setStanding({ is: "cannot", reason: error.message || "The verification could not be started." });
    };
    started.postMessage(task);
  };
  const reset = () => {
    stop();
    setStanding({ is: "idle" });
  };
  return { standing, verify, reset };
}
