import { useSearchParams } from "react-router";
import { useLock } from "@/parts/lock";
import { Answer } from "@/ui/Answer";
import { Page } from "@/ui/Page";
import { Tabs } from "@/ui/Tabs";
import { SafetyLock } from "./lock/SafetyLock";
import { Matrix } from "./Matrix";
import { usePolicy } from "./queries";
import { Versions } from "./Versions";
import { WhoCan } from "./WhoCan";
import { Why } from "./Why";

const TABS = ["matrix", "who-can", "why", "versions", "lock"];

export default function PolicyScreen() {
  const policy = usePolicy();
  const isLocked = useLock().data?.engaged;
  const [search, setSearch] = useSearchParams();
  const asked = search.get("tab") ?? "";
  return (
    <Page
      title="Policy"
      lead="What decides every call: what no lane allows is denied. It is changed by its files; here it is looked at and asked, and every call can be stopped."
    >
      <Answer of={policy} what="Reading the policy">
        {(found) => (
          <Tabs
            label="Policy"
            value={TABS.includes(asked) ? asked : "matrix"}
            onChange={(tab) => setSearch({ tab }, { replace: true })}
            tabs={[
              { value: "matrix", label: "Lanes and roles", content: <Matrix policy={found} /> },
              { value: "who-can", label: "Who can", content: <WhoCan policy={found} /> },
              { value: "why", label: "Would it be allowed?", content: <Why policy={found} /> },
              { value: "versions", label: "Versions", content: <Versions policy={found} /> },
              {
                value: "lock",
                label: `Safety lock${isLocked ? " (on)" : ""}`,
                content: <SafetyLock lanes={found.lanes} />,
              },
            ]}
          />
        )}
      </Answer>
    </Page>
  );
}
