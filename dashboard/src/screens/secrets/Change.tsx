import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, body } from "@/api/client";
import { escapeLine } from "@/lib/visible";
import { useScopeWords } from "@/parts/scopes";
import type { Secret } from "@/parts/secrets";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { Field } from "@/ui/Field";
import { Form } from "@/ui/Form";
import { toast } from "@/ui/Toast";

/** A new value in place of a hidden one. */
export function Change({ secret, onClose }: { secret: Secret; onClose: () => void }) {
  const client = useQueryClient();
  const inWords = useScopeWords();
  const [value, setValue] = useState("");
  const [description, setDescription] = useState(secret.description ?? "");
  const change = useMutation({
    mutationFn: () =>
      body(
        api.PATCH("/v1/secrets/{id}", {
          params: { path: { id: secret.id } },
          body: { ...(value ? { value } : {}), description: description.trim() || null },
        }),
      ),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["secrets"] });
      toast.done(`${secret.key} is changed.`, "Sandboxes that start from now on have the new value.");
      onClose();
    },
  });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={
        <>
          Replace {escapeLine(secret.key)} of {inWords(secret.scope)}
        </>
      }
      lead="The old value is gone afterwards. Sandboxes that run keep what they were given."
    >
      <Form
        error={change.error}
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate();
        }}
        foot={
          <>
            <Button onClick={onClose}>Back</Button>
            <Button kind="primary" type="submit" busy={change.isPending}>
              Save
            </Button>
          </>
        }
      >
        <Field label="New value" optional hint="Left empty, the value stays.">
          {(wiring) => (
            <textarea
              {...wiring}
              rows={3}
              spellCheck={false}
              className={`${wiring.className} mono`}
              value={value}
              onChange={({ target }) => setValue(target.value)}
            />
          )}
        </Field>
        <Field label="What it is for" optional>
          {(wiring) => (
            <input {...wiring} value={description} onChange={({ target }) => setDescription(target.value)} />
          )}
        </Field>
      </Form>
    </Dialog>
  );
}
