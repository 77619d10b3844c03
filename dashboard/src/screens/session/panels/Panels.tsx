import { lazy, Suspense, useState } from "react";
import type { Live } from "@/live/useLive";
import { Loading } from "@/ui/Loading";
import { Tabs } from "@/ui/Tabs";
import type { Session } from "../queries";
import { Overview } from "./Overview";

const Changes = lazy(() => import("./Changes"));
const Terminal = lazy(() => import("./Terminal"));
const Preview = lazy(() => import("./Preview"));
const Media = lazy(() => import("./Media"));

type Props = { id: string; live: Live; session: Session | undefined };

/** What surrounds the conversation; a panel is loaded when it is first opened. */
export function Panels({ id, live, session }: Props) {
  const [tab, setTab] = useState("overview");
  const panel = (content: React.ReactNode) => <Suspense fallback={<Loading />}>{content}</Suspense>;
  return (
    <Tabs
      label="About the session"
      value={tab}
      onChange={setTab}
      tabs={[
        { value: "overview", label: "Overview", content: <Overview id={id} live={live} session={session} /> },
        { value: "changes", label: "Changes", content: panel(<Changes id={id} />) },
        { value: "terminal", label: "Terminal", content: panel(<Terminal id={id} />) },
        {
          value: "preview",
          label: "Preview",
          content: panel(<Preview id={id} url={live.conversation.previewUrl} />),
        },
        { value: "media", label: "Evidence", content: panel(<Media id={id} />) },
      ]}
    />
  );
}
