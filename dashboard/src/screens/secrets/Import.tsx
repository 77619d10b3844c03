import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, body, type Schemas } from "@/api/client";
import { useMe } from "@/api/me";
import { ScopeField } from "@/parts/ScopeField";
import { Button } from "@/ui/Button";
import { Checkbox } from "@/ui/Checkbox";
import { Dialog } from "@/ui/Dialog";
import { Field } from "@/ui/Field";
import { Form } from "@/ui/Form";
import { Note } from "@/ui/Note";

const list = (keys: string[]) => keys.join(", ");

/** Every variable of a .env file at once, all or nothing. */
export function Import({ onClose }: { onClose: () => void }) {
  const { isAdmin } = useMe();
  const client = useQueryClient();
  const [scope, setScope] = useState<Schemas["SecretScope"]>({ kind: "organization" });
  const [text, setText] = useState("");
  const [update, setUpdate] = useState(false);
  const bring = useMutation({
    mutationFn: () =>
      body(api.POST("/v1/secrets/import", { body: { text, scope, onExisting: update ? "update" : "skip" } })),
    onSuccess: () => client.invalidateQueries({ queryKey: ["secrets"] }),
  });
  const done = bring.data;
  if (done)
    return (
      <Dialog open onOpenChange={onClose} title="Imported">
        <Note tone="good" title={`${done.created.length + done.updated.length} stored.`}>
          {done.created.length > 0 && <p>New: {list(done.created)}</p>}
          {done.updated.length > 0 && <p>Replaced: {list(done.updated)}</p>}
          {done.skipped.length > 0 && <p>Left as they were: {list(done.skipped)}</p>}
        </Note>
        <div className="row">
          <Button kind="primary" onClick={onClose}>
            Done
          </Button>
        </div>
      </Dialog>
    );
  const forbidden = scope.kind === "organization" && !isAdmin;
  return (
    <Dialog
      open
      wide
      onOpenChange={onClose}
      title="Import a .env file"
      lead="Every variable becomes a secret. If one line cannot be taken, none is."
    >
      <Form
        error={bring.error}
        onSubmit={(event) => {
          event.preventDefault();
          bring.mutate();
        }}
        foot={
          <>
            <Button onClick={onClose}>Back</Button>
            <Button
              kind="primary"
              type="submit"
              busy={bring.isPending}
              disabled={!text.trim() || forbidden}
              title={
                forbidden ? "The organization's secrets are for admins; choose a narrower place." : undefined
              }
            >
              Import
            </Button>
          </>
        }
      >
        <ScopeField value={scope} onChange={setScope} />
        <Field label="File" optional>
          {(wiring) => (
            <input
              {...wiring}
              type="file"
              onChange={async ({ target }) => {
                const file = target.files?.[0];
                if (file) setText(await file.text());
              }}
            />
          )}
        </Field>
        <Field label="Its text" hint="KEY=value lines; export, comments and quotes as usual.">
          {(wiring) => (
            <textarea
              {...wiring}
              rows={8}
              spellCheck={false}
              className={`${wiring.className} mono`}
              value={text}
              placeholder={"DATABASE_URL=postgres://…\nSTRIPE_KEY=sk_…"}
              onChange={({ target }) => setText(target.value)}
            />
          )}
        </Field>
        <Checkbox
          label="Replace the ones that are there. Their old values are gone afterwards."
          checked={update}
          onChange={({ target }) => setUpdate(target.checked)}
        />
      </Form>
    </Dialog>
  );
}
