import { useSearchParams } from "react-router";
import { useWaiting } from "@/app/useWaiting";
import { LockBanner } from "@/parts/LockBanner";
import { Page } from "@/ui/Page";
import { Tabs } from "@/ui/Tabs";
import { History } from "./History";
import { NotifyButton } from "./NotifyButton";
import { Waiting } from "./Waiting";

export default function ApprovalsScreen() {
  const [search, setSearch] = useSearchParams();
  const waiting = useWaiting();
  return (
    <>
      <LockBanner />
      <Page
        title="Approvals"
        lead="What agents want to do outside their sandboxes. Each call waits for an approval, and expires without one."
        actions={<NotifyButton />}
      >
        <Tabs
          label="Approvals"
          value={search.get("tab") ?? "waiting"}
          onChange={(tab) => setSearch(tab === "waiting" ? {} : { tab })}
          tabs={[
            { value: "waiting", label: `Waiting${waiting ? ` (${waiting})` : ""}`, content: <Waiting /> },
            { value: "history", label: "History", content: <History /> },
          ]}
        />
      </Page>
    </>
  );
}
