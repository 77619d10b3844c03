import { useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import { save } from "@/lib/download";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { Form } from "@/ui/Form";
import { type Filters, fetchBundle } from "./events";
import { type Of, TrailFields } from "./TrailFields";

/** Downloads the trail of a session or a case; that it was taken is recorded. */
export function BundleButton({ filters }: { filters: Filters }) {
  const [open, setOpen] = useState(false);
  const [of, setOf] = useState<Of>({ kind: "session", id: "" });
  const download = useMutation({
    mutationFn: async () =>
      save(await fetchBundle(of.kind === "case" ? { case: of.id } : { session: of.id })),
    onSuccess: () => setOpen(false),
  });
  const begin = () => {
    setOf(
      filters.caseId
        ? { kind: "case", id: filters.caseId }
        : { kind: "session", id: filters.sessionId ?? "" },
    );
    download.reset();
    setOpen(true);
  };
  return (
    <>
      <Button onClick={begin}>
        <Download aria-hidden /> Download a bundle
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Download a bundle"
        lead="The trail of one session or case with everything that proves it, in one file. That you took it is recorded in the log."
      >
        <Form
          error={download.error}
          onSubmit={(submitted) => {
            submitted.preventDefault();
            download.mutate();
          }}
          foot={
            <>
              <Button onClick={() => setOpen(false)}>Back</Button>
              <Button kind="primary" type="submit" busy={download.isPending} disabled={!of.id}>
                Download
              </Button>
            </>
          }
        >
          <TrailFields of={of} onChange={setOf} />
        </Form>
      </Dialog>
    </>
  );
}
