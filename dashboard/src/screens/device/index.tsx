import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { api, body } from "@/api/client";
import { Answer } from "@/ui/Answer";
import { Card } from "@/ui/Card";
import { Page } from "@/ui/Page";
import { CodeForm } from "./CodeForm";
import { Decide } from "./Decide";

const LEAD =
  "A terminal that you approve here acts as you. Approve only one that you started yourself, just now.";

/** A terminal waits for a decision: which one, from where, and what it would be given. */
export default function DeviceScreen() {
  const [search, setSearch] = useSearchParams();
  const code = search.get("code")?.trim() ?? "";
  return (
    <Page title="Sign in a terminal" lead={LEAD}>
      {code ? (
        <Waiting key={code} code={code} onOther={() => setSearch({})} />
      ) : (
        <Card title="Which one?">
          <CodeForm onCode={(typed) => setSearch({ code: typed })} />
        </Card>
      )}
    </Page>
  );
}

function Waiting({ code, onOther }: { code: string; onOther: () => void }) {
  const [decided, setDecided] = useState(false);
  // Asked once: each try of a code counts, and after the decision there is nothing left to ask for.
  const login = useQuery({
    queryKey: ["device", code],
    queryFn: () => body(api.GET("/v1/login/device", { params: { query: { code } } })),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    enabled: !decided,
  });
  return (
    <Answer of={login} what="the terminal">
      {(waiting) => (
        <Decide code={code} login={waiting} onDecided={() => setDecided(true)} onOther={onOther} />
      )}
    </Answer>
  );
}
