import { useQuery } from "@tanstack/react-query";
import { ExternalLink } from "lucide-react";
import { type FormEvent, useState } from "react";
import { ask } from "@/api/raw";
import { Button } from "@/ui/Button";
import { Empty } from "@/ui/Empty";
import { Field } from "@/ui/Field";
import { Loading } from "@/ui/Loading";
import css from "./panels.module.css";
import { Unavailable } from "./Unavailable";

/** A server that listens in the sandbox, through the gateway. Its pages get no rights of this one. */
export default function Preview({ id, url }: { id: string; url: string | null }) {
  // Where the session said it can be looked at, if it did.
  const [port, setPort] = useState(() => /\/preview\/(\d+)/.exec(url ?? "")?.[1] ?? "3000");
  const [shown, setShown] = useState<string | null>(null);
  const address = `/proliferate/${id}/preview/${shown}/`;
  const { error, isPending, refetch } = useQuery({
    queryKey: ["sessions", id, "preview", shown],
    enabled: shown !== null,
    queryFn: async () => (await ask(address, "text/html")).status,
    retry: false,
    gcTime: 0,
  });
  const show = (event: FormEvent) => {
    event.preventDefault();
    setShown(port);
    if (shown === port) void refetch();
  };
  return (
    <div className="stack">
      <form className={css.port} onSubmit={show}>
        <Field label="Port in the sandbox">
          {(wiring) => (
            <input
              {...wiring}
              inputMode="numeric"
              pattern="[0-9]{1,5}"
              required
              value={port}
              onChange={(event) => setPort(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit">Show</Button>
        {shown && (
          <a className="row small" href={address} target="_blank" rel="noreferrer">
            <ExternalLink aria-hidden size={14} /> In a tab of its own
          </a>
        )}
      </form>
      {shown === null && (
        <Empty title="Which port?">Start a server in the sandbox and say where it listens.</Empty>
      )}
      {shown !== null && error && (
        <Unavailable
          what="The preview"
          error={error}
          again={refetch}
          missing={
            <>
              The session has not exposed this port. In the terminal, or by the agent:{" "}
              <code>proliferate services expose --port {shown}</code>
            </>
          }
        />
      )}
      {shown !== null && isPending && <Loading what="Asking the sandbox" />}
      {shown !== null && !error && !isPending && (
        <iframe
          className={css.frame}
          src={address}
          title={`Port ${shown}`}
          sandbox="allow-scripts allow-forms"
        />
      )}
    </div>
  );
}
