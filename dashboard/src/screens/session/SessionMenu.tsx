import { useQueryClient } from "@tanstack/react-query";
import { Camera, CircleStop, GitFork, MoreHorizontal, Pencil } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import { useState } from "react";
import { useNavigate } from "react-router";
import { api } from "@/api/client";
import type { Live } from "@/live/useLive";
import { Button } from "@/ui/Button";
import { Confirm } from "@/ui/Confirm";
import { toast } from "@/ui/Toast";
import css from "./Header.module.css";
import type { Session } from "./queries";
import { RenameDialog } from "./RenameDialog";

/** What is done with a session as a whole. */
export function SessionMenu({ id, live, session }: { id: string; live: Live; session: Session | undefined }) {
  const [ending, setEnding] = useState(false);
  const [renaming, setRenaming] = useState(false);
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
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger asChild>
          <Button kind="quiet" size="s" aria-label="Session actions">
            <MoreHorizontal aria-hidden />
          </Button>
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content className={css.menu} align="end" sideOffset={6}>
            <DropdownMenu.Item className={css.item} onSelect={() => setRenaming(true)}>
              <Pencil aria-hidden /> Rename…
            </DropdownMenu.Item>
            <DropdownMenu.Item className={css.item} disabled={isOver} onSelect={save}>
              <Camera aria-hidden /> Save a snapshot
            </DropdownMenu.Item>
            <DropdownMenu.Item className={css.item} disabled={!session?.snapshotId} onSelect={fork}>
              <GitFork aria-hidden /> New session from its snapshot
            </DropdownMenu.Item>
            <DropdownMenu.Item className={css.item} disabled={isOver} onSelect={() => setEnding(true)}>
              <CircleStop aria-hidden /> End the session…
            </DropdownMenu.Item>
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      {renaming && <RenameDialog id={id} title={session?.title ?? ""} onClose={() => setRenaming(false)} />}
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
