import { useQueryClient } from "@tanstack/react-query";
import { Camera, CircleStop, GitFork, MoreHorizontal, Pencil, Share2 } from "lucide-react";
import { useState } from "react";
import { useNavigate } from "react-router";
import { api } from "@/api/client";
import type { Live } from "@/live/useLive";
import { Button } from "@/ui/Button";
import { Confirm } from "@/ui/Confirm";
import { Menu, MenuItem } from "@/ui/Menu";
import { toast } from "@/ui/Toast";
import type { Session } from "./queries";
import { RenameDialog } from "./RenameDialog";
import { ShareDialog } from "./share/ShareDialog";

/** What is done with a session as a whole. */
export function SessionMenu({ id, live, session }: { id: string; live: Live; session: Session | undefined }) {
  const [ending, setEnding] = useState(false);
  const [renaming, setRenaming] = useState(false);
  const [sharing, setSharing] = useState(false);
  const navigate = useNavigate();
  const client = useQueryClient();
  const isOver = ["stopped", "error"].includes(live.conversation.status ?? "");
  const save = () => {
    if (live.send({ type: "save_snapshot" }))
      toast.done("Saving the sandbox", "The conversation says when it is done.");
    else toast.failed(new Error("The session is not connected; try again when it is."));
  };
  const fork = () => {
    const query = new URLSearchParams({ snapshot: session?.snapshotId ?? "" });
    if (session?.configurationId) query.set("configuration", session.configurationId);
    void navigate(`/sessions/new?${query}`);
  };
  return (
    <>
      <Menu
        align="end"
        trigger={
          <Button kind="quiet" size="s" aria-label="Session actions">
            <MoreHorizontal aria-hidden />
          </Button>
        }
      >
        <MenuItem onSelect={() => setRenaming(true)}>
          <Pencil aria-hidden /> Rename…
        </MenuItem>
        <MenuItem onSelect={() => setSharing(true)}>
          <Share2 aria-hidden /> Share…
        </MenuItem>
        <MenuItem disabled={isOver} onSelect={save}>
          <Camera aria-hidden /> Save a snapshot
        </MenuItem>
        <MenuItem disabled={!session?.snapshotId} onSelect={fork}>
          <GitFork aria-hidden /> New session from its snapshot
        </MenuItem>
        <MenuItem disabled={isOver} onSelect={() => setEnding(true)}>
          <CircleStop aria-hidden /> End the session…
        </MenuItem>
      </Menu>
      {renaming && <RenameDialog id={id} title={session?.title ?? ""} onClose={() => setRenaming(false)} />}
      {sharing && <ShareDialog id={id} onClose={() => setSharing(false)} />}
      <Confirm
        open={ending}
        onOpenChange={setEnding}
        title="End this session?"
        effect="The agent stops and its sandbox is taken down. What was not saved as a snapshot is lost. The conversation and the record stay. It cannot be started again."
        verb="End the session"
        act={async () => {
          await api.DELETE("/v1/sessions/{id}", { params: { path: { id } } });
          await client.invalidateQueries({ queryKey: ["sessions"] });
        }}
      />
    </>
  );
}
