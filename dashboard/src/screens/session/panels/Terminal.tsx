import { FitAddon } from "@xterm/addon-fit";
import { Terminal as Xterm } from "@xterm/xterm";
import { useEffect, useRef, useState } from "react";
import "@xterm/xterm/css/xterm.css";
import { Problem } from "@/api/problem";
import { ask } from "@/api/raw";
import { SOCKET_PROTOCOLS } from "@/api/session";
import { Button } from "@/ui/Button";
import css from "./panels.module.css";
import { Unavailable } from "./Unavailable";

/** A shell in the sandbox. It ends with the panel. */
export default function Terminal({ id }: { id: string }) {
  const place = useRef<HTMLDivElement>(null);
  const [round, setRound] = useState(0);
  const [error, setError] = useState<unknown>(null);
  const [isOver, setOver] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another round is another shell
  useEffect(() => {
    if (!place.current) return;
    setError(null);
    setOver(false);
    return open(id, place.current, setError, () => setOver(true));
  }, [id, round]);
  const again = () => setRound(round + 1);
  if (error !== null) return <Unavailable what="The terminal" error={error} again={again} />;
  return (
    <div className="stack">
      <div ref={place} className={css.terminal} />
      {isOver && (
        <div className="row">
          <p className="muted small">The shell ended.</p>
          <Button size="s" onClick={again}>
            Open another
          </Button>
        </div>
      )}
    </div>
  );
}

function open(
  id: string,
  place: HTMLElement,
  failed: (error: unknown) => void,
  over: () => void,
): () => void {
  const terminal = new Xterm({ fontSize: 13, theme: { background: "#14161b" }, cursorBlink: true });
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  terminal.open(place);
  fit.fit();
  const address = new URL(`/proliferate/${id}/terminal`, location.href);
  address.protocol = address.protocol.replace("http", "ws");
  const socket = new WebSocket(address, SOCKET_PROTOCOLS);
  socket.binaryType = "arraybuffer";
  let wasOpen = false;
  let isClosed = false;
  const say = (data: string | Uint8Array<ArrayBuffer>) =>
    socket.readyState === WebSocket.OPEN && socket.send(data);
  const resize = ({ cols, rows }: { cols: number; rows: number }) =>
    say(JSON.stringify({ type: "resize", cols, rows }));
  socket.onopen = () => {
    wasOpen = true;
    resize(terminal);
    terminal.focus();
  };
  socket.onmessage = ({ data }) => {
    if (data instanceof ArrayBuffer) terminal.write(new Uint8Array(data));
  };
  socket.onclose = () => {
    if (isClosed) return;
    if (wasOpen) return over();
    // The browser is not told why it was refused; a plain request is, unless all that is wrong with it is being one.
    ask(`/proliferate/${id}/terminal`, "application/json").catch((cause: unknown) => {
      const problem = Problem.from(cause);
      failed(problem.status === 400 ? new Problem({ status: 409 }) : problem);
    });
  };
  terminal.onData((text) => say(new TextEncoder().encode(text)));
  terminal.onResize(resize);
  const observer = new ResizeObserver(() => fit.fit());
  observer.observe(place);
  return () => {
    isClosed = true;
    observer.disconnect();
    socket.close();
    terminal.dispose();
  };
}
