import { useQuery } from "@tanstack/react-query";
import { Answer } from "@/ui/Answer";
import { Dialog } from "@/ui/Dialog";
import { Links } from "./Links";
import { People } from "./People";
import { sharingQuery } from "./queries";
import css from "./share.module.css";

/** Who sees a session, and links to its transcript. */
export function ShareDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const sharing = useQuery(sharingQuery(id));
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Share the session"
      lead="Admins and owners of the organization see every session."
      wide
    >
      <div className={css.parts}>
        <Answer of={sharing} what="Looking for who sees it">
          {(found) => (
            <>
              <People key={JSON.stringify(found)} id={id} sharing={found} />
              {found.rights.includes("share") && <Links id={id} />}
            </>
          )}
        </Answer>
      </div>
    </Dialog>
  );
}
