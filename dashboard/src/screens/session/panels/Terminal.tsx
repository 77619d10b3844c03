import { FitAddon } from "@xterm/addon-fit";
import { Terminal as Xterm } from "@xterm/xterm";
import { useEffect, useRef, useState } from "react";
import "@xterm/xterm/css/xterm.css";
import { ask } from "@/api/raw";
import { socketProtocols } from "@/api/session";
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
  address.search = String(new URLSearchParams({ cols: String(terminal.cols), rows: String(terminal.rows) }));
  const socket = new WebSocket(address, socketProtocols());
  socket.binaryType = "arraybuffer";
  let wasOpen = false;
  let isClosed = false;
  const say = (data: string | Uint8Array<ArrayBuffer>) =>
    socket.readyState === WebSocket.OPEN && socket.send(data);
  socket.onopen = () => {
    wasOpen = true;
    terminal.focus();
  };
  socket.onmessage = ({ data }) => {
    if (data instanceof ArrayBuffer) terminal.write(new Uint8Array(data));
  };
  socket.onclose = () => {
    if (isClosed) return;
    if (wasOpen) return over();
    // The browser is not told why it was refused; a plain request is.
    ask(`/proliferate/${id}/terminal`, "application/json").catch(failed);
  };
  terminal.onData((text) => say(new TextEncoder().encode(text)));
  terminal.onResize(({ cols, rows }) => say(JSON.stringify({ type: "resize", cols, rows })));
  const observer = new ResizeObserver(() => fit.fit());
  observer.observe(place);
  return () => {
    isClosed = true;
    observer.disconnect();
    socket.close();
    terminal.dispose();
  };
}
