import { Button } from "@/ui/Button";
import { CodeBlock } from "@/ui/CodeBlock";
import { Dialog } from "@/ui/Dialog";

type Props = { title: string; secret: string; lead: string; onClose: () => void };

/** Something that the API gives out once and never again. */
export function ShownOnce({ title, secret, lead, onClose }: Props) {
  return (
    <Dialog open onOpenChange={onClose} title={title} lead={lead}>
      <CodeBlock text={secret} label={title} />
      <div className="row">
        <Button kind="primary" onClick={onClose}>
          I have kept it
        </Button>
      </div>
    </Dialog>
  );
}
