import { Plus } from "lucide-react";
import { useDeferredValue, useState } from "react";
import type { Schemas } from "@/api/client";
import { Button } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { Empty } from "@/ui/Empty";
import { Failure } from "@/ui/Failure";
import { LinkButton } from "@/ui/LinkButton";
import { Loading } from "@/ui/Loading";
import { Page } from "@/ui/Page";
import { Filters } from "./Filters";
import { SessionTable } from "./SessionTable";
import { useSessions } from "./useSessions";

export default function SessionsScreen() {
  const [status, setStatus] = useState<Schemas["SessionStatus"] | "">("");
  const [words, setWords] = useState("");
  const { sessions, error, isPending, hasNextPage, fetchNextPage, isFetchingNextPage, refetch } = useSessions(
    status,
    useDeferredValue(words.trim()),
  );
  const isNew = !isPending && sessions.length === 0 && !status && !words.trim();
  return (
    <Page
      title="Sessions"
      lead="Agents at work, each in a sandbox of its own."
      actions={
        <LinkButton to="/sessions/new" kind="primary">
          <Plus aria-hidden /> New session
        </LinkButton>
      }
    >
      {error && sessions.length === 0 && <Failure error={error} again={refetch} />}
      <Card flush>
        <Filters status={status} onStatus={setStatus} words={words} onWords={setWords} />
        {isPending && <Loading what="Fetching sessions" />}
        {isNew && (
          <Empty
            title="No session yet."
            action={
              <LinkButton to="/sessions/new" kind="primary">
                Begin the first one
              </LinkButton>
            }
          >
            A session gives an agent a sandbox and something to do. You see everything it does, and decide
            what it may do outside.
          </Empty>
        )}
        {!isPending && !isNew && sessions.length === 0 && (
          <Empty title="No session matches.">Other words or another state may find one.</Empty>
        )}
        {sessions.length > 0 && <SessionTable sessions={sessions} />}
      </Card>
      {hasNextPage && (
        <Button busy={isFetchingNextPage} onClick={() => fetchNextPage()}>
          Older sessions
        </Button>
      )}
    </Page>
  );
}
