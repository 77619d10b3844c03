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
export default function Preview({ id }: { id: string }) {
  const [port, setPort] = useState("3000");
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
      <form className="row" onSubmit={show}>
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
      {shown !== null && error && <Unavailable what="The preview" error={error} again={refetch} />}
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
