import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { useMe } from "@/api/me";
import { Button } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { Failure } from "@/ui/Failure";
import { Field } from "@/ui/Field";
import { LinkButton } from "@/ui/LinkButton";
import { Page } from "@/ui/Page";
import { RelativeTime } from "@/ui/RelativeTime";
import css from "./audit.module.css";
import { DropZone } from "./DropZone";
import { fetchBundle } from "./events";
import { forget, kept as keptHere } from "./kept";
import { type Of, TrailFields } from "./TrailFields";
import { useVerification } from "./useVerification";
import { Verdict } from "./Verdict";

/** A bundle, what it is measured by, and the verdict. Nothing the gateway says is believed. */
export function Verify() {
  const [search] = useSearchParams();
  const { me } = useMe();
  const [forgotten, setForgotten] = useState(false);
  const own = forgotten ? null : keptHere(me?.organizationId);
  const asked: Of = search.has("case")
    ? { kind: "case", id: search.get("case") ?? "" }
    : { kind: "session", id: search.get("session") ?? "" };
  const [of, setOf] = useState(asked);
  const [file, setFile] = useState<File | null>(null);
  const [key, setKey] = useState<string | null>(null);
  const [kept, setKept] = useState<string | null>(null);
  const { standing, verify, reset } = useVerification();
  const take = useMutation({
    mutationFn: () => fetchBundle(of.kind === "case" ? { case: of.id } : { session: of.id }),
    onSuccess: (bundle) => choose(bundle),
  });
  const choose = (chosen: File) => {
    setFile(chosen);
    reset();
  };
  const keyText = key ?? own?.key ?? "";
  const keptText = kept ?? own?.checkpoint ?? "";
  return (
    <Page
      title="Verify a bundle"
      lead="Your browser computes every hash and checks every signature itself. The file is not sent anywhere, and nothing the gateway says is believed."
      actions={<LinkButton to="/audit">Back to the log</LinkButton>}
    >
      <div className={css.columns}>
        <Card title="The bundle">
          <div className="stack">
            <DropZone file={file} onFile={choose} />
            <details open={search.size > 0}>
              <summary>Or take it from this gateway</summary>
              <form
                className={css.take}
                onSubmit={(event) => {
                  event.preventDefault();
                  take.mutate();
                }}
              >
                <TrailFields of={of} onChange={setOf} />
                {take.error && <Failure error={take.error} />}
                <div>
                  <Button type="submit" busy={take.isPending} disabled={!of.id}>
                    Take the bundle
                  </Button>
                </div>
              </form>
            </details>
          </div>
        </Card>
        <Card title="What it is measured by">
          <div className="stack">
            <Field
              label="Verifier key"
              optional
              hint="What proliferate audit key prints, got by a way of its own. Without it the key in the file is used: that shows that the file is whole, not who signed it."
            >
              {(wiring) => (
                <textarea
                  {...wiring}
                  rows={3}
                  spellCheck={false}
                  className={`${wiring.className} mono`}
                  value={keyText}
                  placeholder="proliferate/audit/ORGANIZATION+HASH+KEY"
                  onChange={(event) => setKey(event.target.value)}
                />
              )}
            </Field>
            <Field
              label="A checkpoint you keep"
              optional
              hint="From proliferate audit checkpoint, or one this device kept. The log must go on from it."
            >
              {(wiring) => (
                <textarea
                  {...wiring}
                  rows={5}
                  spellCheck={false}
                  className={`${wiring.className} mono`}
                  value={keptText}
                  onChange={(event) => setKept(event.target.value)}
                />
              )}
            </Field>
            {own && me && (
              <p className="small">
                This device keeps a key and a checkpoint since <RelativeTime at={own.keptAt} />.{" "}
                <Button
                  size="s"
                  onClick={() => {
                    forget(me.organizationId);
                    setForgotten(true);
                  }}
                >
                  Forget them
                </Button>
              </p>
            )}
            <div>
              <Button
                kind="primary"
                disabled={!file}
                busy={standing.is === "running"}
                onClick={() => file && void verify({ file, key: keyText, kept: keptText })}
              >
                Verify
              </Button>
            </div>
          </div>
        </Card>
      </div>
      <Verdict standing={standing} />
    </Page>
  );
}
