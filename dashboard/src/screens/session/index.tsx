import { useParams } from "react-router";
import { useLive } from "@/live/useLive";
import { Failure } from "@/ui/Failure";
import { LinkButton } from "@/ui/LinkButton";
import { Note } from "@/ui/Note";
import { Page } from "@/ui/Page";
import { SessionView } from "./SessionView";

// What an agent says is shown with it: on its way before the first words are.
void import("@/ui/Markdown");

export default function SessionScreen() {
  const { id = "" } = useParams();
  // Another session is another screen: nothing of the one before stays.
  return <Watched key={id} id={id} />;
}

function Watched({ id }: { id: string }) {
  const live = useLive(id);
  if (live.state === "refused") {
    const isSignedOut = live.problem?.status === 401;
    return (
      <Page title="Session">
        {isSignedOut && (
          <Note>
            You are not signed in any more: you signed out elsewhere, or you are no member of the organization
            now.
          </Note>
        )}
        <Failure error={live.problem} />
        {isSignedOut && <LinkButton to="/login">Sign in</LinkButton>}
      </Page>
    );
  }
  return <SessionView id={id} live={live} version={live.version} />;
}
