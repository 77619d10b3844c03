import { Plus } from "lucide-react";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { useMe } from "@/api/me";
import { Button } from "@/ui/Button";
import { Page } from "@/ui/Page";
import { Tabs } from "@/ui/Tabs";
import { Ledger } from "./Ledger";
import { NewGrant } from "./NewGrant";
import { Requests } from "./Requests";
import { useRequests } from "./useGrants";

export default function GrantsScreen() {
  const [search, setSearch] = useSearchParams();
  const [making, setMaking] = useState(false);
  const { isAdmin } = useMe();
  const waiting = useRequests("pending").requests.length;
  return (
    <Page
      title="Grants"
      lead="Approvals given beforehand: which calls run without asking, how many, and until when."
      actions={
        isAdmin && (
          <Button kind="primary" onClick={() => setMaking(true)}>
            <Plus aria-hidden /> New grant
          </Button>
        )
      }
    >
      <Tabs
        label="Grants"
        value={search.get("tab") ?? "ledger"}
        onChange={(tab) => setSearch(tab === "ledger" ? {} : { tab })}
        tabs={[
          { value: "ledger", label: "Ledger", content: <Ledger /> },
          {
            value: "requests",
            label: `Requests from agents${waiting ? ` (${waiting})` : ""}`,
            content: <Requests />,
          },
        ]}
      />
      {making && <NewGrant onClose={() => setMaking(false)} />}
    </Page>
  );
}
