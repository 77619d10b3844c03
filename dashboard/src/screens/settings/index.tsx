import { Route, Routes, useSearchParams } from "react-router";
import { NotFound } from "@/app/NotFound";
import { Page } from "@/ui/Page";
import { Tabs } from "@/ui/Tabs";
import { ApiKeys } from "./ApiKeys";
import { Appearance } from "./Appearance";
import { Limits } from "./Limits";
import { Members } from "./Members";
import { Organization } from "./Organization";
import { ShareLinks } from "./ShareLinks";
import { Spending } from "./Spending";
import { WebhookPage } from "./WebhookPage";
import { Webhooks } from "./Webhooks";

const TABS = [
  { value: "members", label: "Members", content: <Members /> },
  { value: "organization", label: "Organization", content: <Organization /> },
  { value: "budget", label: "Budget", content: <Spending /> },
  { value: "sharing", label: "Sharing", content: <ShareLinks /> },
  { value: "limits", label: "Limits", content: <Limits /> },
  { value: "keys", label: "API keys", content: <ApiKeys /> },
  { value: "webhooks", label: "Webhooks", content: <Webhooks /> },
  { value: "appearance", label: "Appearance", content: <Appearance /> },
];

function Overview() {
  const [search, setSearch] = useSearchParams();
  const asked = search.get("tab");
  const tab = TABS.find(({ value }) => value === asked)?.value ?? "members";
  return (
    <Page
      title="Settings"
      lead="Who belongs to the organization, what sessions may spend, what programs may do for you, and where notices are sent."
    >
      <Tabs
        tabs={TABS}
        value={tab}
        label="Settings"
        onChange={(value) => setSearch({ tab: value }, { replace: true })}
      />
    </Page>
  );
}

export default function SettingsScreen() {
  return (
    <Routes>
      <Route index element={<Overview />} />
      <Route path="webhooks/:id" element={<WebhookPage />} />
      <Route path="*" element={<NotFound />} />
    </Routes>
  );
}
