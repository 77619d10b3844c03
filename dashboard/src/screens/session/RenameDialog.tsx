import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "@/api/client";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { Field } from "@/ui/Field";
import { Form } from "@/ui/Form";

const TITLE_MAX = 200;
type Props = { id: string; title: string; onClose: () => void };

export function RenameDialog({ id, title, onClose }: Props) {
  const client = useQueryClient();
  const [words, setWords] = useState(title);
  const rename = useMutation({
    mutationFn: () =>
      api.PATCH("/v1/sessions/{id}", { params: { path: { id } }, body: { title: words.trim() || null } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["sessions"] });
      onClose();
    },
  });
  return (
    <Dialog open onOpenChange={onClose} title="Rename the session">
      <Form
        onSubmit={(event) => {
          event.preventDefault();
          rename.mutate();
        }}
        error={rename.error}
        foot={
          <Button kind="primary" type="submit" busy={rename.isPending}>
            Rename
          </Button>
        }
      >
        <Field label="Title">
          {(wiring) => (
            <input
              {...wiring}
              maxLength={TITLE_MAX}
              value={words}
              onChange={({ target }) => setWords(target.value)}
            />
          )}
        </Field>
      </Form>
    </Dialog>
  );
}
