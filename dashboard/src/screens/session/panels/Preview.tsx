import { useQuery } from "@tanstack/react-query";
import { ExternalLink } from "lucide-react";
import { type FormEvent, useState } from "react";
import { api, body } from "@/api/client";
import { ask } from "@/api/raw";
import { Button } from "@/ui/Button";
import { Empty } from "@/ui/Empty";
import { Field } from "@/ui/Field";
import { Loading } from "@/ui/Loading";
import css from "./panels.module.css";
import { Unavailable } from "./Unavailable";

/**
 * An address that opens the port for a while, once something answers there. The page behind it has no origin, so that
 * no cookie of ours is sent with what it asks for: its address is all it has.
 */
async function open(id: string, port: number): Promise<string> {
  const { url } = await body(
    api.POST("/v1/sessions/{id}/preview", { params: { path: { id } }, body: { port } }),
  );
  await ask(url, "text/html");
  return url;
}

/** A server that listens in the sandbox, through the gateway. Its pages get no rights of this one. */
export default function Preview({ id, url }: { id: string; url: string | null }) {
  // Where the session said it can be looked at, if it did.
  const [port, setPort] = useState(() => /\/preview\/(\d+)/.exec(url ?? "")?.[1] ?? "3000");
  const [shown, setShown] = useState<string | null>(null);
  const {
    data: address,
    error,
    isFetching,
    refetch,
  } = useQuery({
    queryKey: ["sessions", id, "preview", shown],
    enabled: shown !== null,
    queryFn: () => open(id, Number(shown)),
    retry: false,
    gcTime: 0,
    // Another address would reload the page while it is viewed.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
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
        {address && (
          <a className="row small" href={address} target="_blank" rel="noreferrer">
            <ExternalLink aria-hidden size={14} /> In a tab of its own
          </a>
        )}
      </form>
      {shown === null && (
        <Empty title="Which port?">Start a server in the sandbox and say where it listens.</Empty>
      )}
      {shown !== null && error && !isFetching && (
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
      {isFetching && <Loading what="Asking the sandbox" />}
      {address && !error && !isFetching && (
        <>
          <iframe
            className={css.frame}
            src={address}
            title={`Port ${shown}`}
            sandbox="allow-scripts allow-forms allow-popups allow-modals"
          />
          <p className="muted small">
            It stays open for an hour; press Show again after that. Addresses in the page that begin with a
            slash lead past it.
          </p>
        </>
      )}
    </div>
  );
}
