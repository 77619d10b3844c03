import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router";
import { api, body } from "@/api/client";
import { Card } from "@/ui/Card";
import { Failure } from "@/ui/Failure";
import { Loading } from "@/ui/Loading";
import { Page } from "@/ui/Page";
import { NewSessionForm } from "./NewSessionForm";
import css from "./sessions.module.css";

/** Everything that can be chosen is fetched first, so that no option moves while the user chooses. */
const choicesQuery = {
  queryKey: ["sessions", "choices"],
  queryFn: async () => {
    const query = { limit: 100 };
    const [models, configurations, repos, integrations] = await Promise.all([
      body(api.GET("/v1/models")),
      body(api.GET("/v1/configurations", { params: { query } })),
      body(api.GET("/v1/repos", { params: { query } })),
      body(api.GET("/v1/integrations", { params: { query } })),
    ]);
    return {
      models: models.models,
      configurations: configurations.items,
      repos: repos.items,
      integrations: integrations.items.filter(({ status }) => status === "active"),
    };
  },
};

export default function NewSessionScreen() {
  const [search] = useSearchParams();
  const { data, error, refetch } = useQuery(choicesQuery);
  const snapshot = search.get("snapshot");
  return (
    <Page title="New session" lead={snapshot ? `Begins with what snapshot ${snapshot} holds.` : undefined}>
      {error && <Failure error={error} again={refetch} />}
      {!data && !error && <Loading what="Fetching what can be chosen" />}
      {data && (
        <Card className={css.form}>
          <NewSessionForm choices={data} snapshot={snapshot} configuration={search.get("configuration")} />
        </Card>
      )}
    </Page>
  );
}
