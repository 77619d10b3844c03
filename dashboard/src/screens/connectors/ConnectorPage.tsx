import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams } from "react-router";
import { api, body } from "@/api/client";
import { LookOnly, useMay } from "@/parts/may";
import { Answer } from "@/ui/Answer";
import { Card } from "@/ui/Card";
import { LinkButton } from "@/ui/LinkButton";
import { Page } from "@/ui/Page";
import { Remove } from "@/ui/Remove";
import { toast } from "@/ui/Toast";
import { ConnectorForm } from "./ConnectorForm";
import css from "./connectors.module.css";
import { ofConnector } from "./form";
import { useConnector } from "./queries";
import { Tools } from "./Tools";

export function ConnectorPage() {
  const { id = "" } = useParams();
  const connector = useConnector(id);
  const client = useQueryClient();
  const navigate = useNavigate();
  const { guard } = useMay();
  const params = { path: { id } };
  return (
    <Page
      title={connector.data?.name ?? "Connector"}
      lead={connector.data?.url}
      actions={
        <>
          <LinkButton to="/connectors">Back</LinkButton>
          <Remove
            {...guard}
            question={`Remove ${connector.data?.name ?? "this server"}?`}
            effect="Its tools are gone from every session at once, and calls that wait for approval cannot be made. Grants that name it allow nothing any more. The log keeps what was done."
            verb="Remove it"
            act={async () => {
              await api.DELETE("/v1/connectors/{id}", { params });
              await client.invalidateQueries({ queryKey: ["connectors"] });
              await navigate("/connectors");
            }}
          >
            Remove
          </Remove>
        </>
      }
    >
      <LookOnly what="Changing a server and accepting its tools" />
      <Answer of={connector} what="Looking for the connector">
        {(found) => (
          <>
            <Tools connector={found} />
            <Card title="Settings" className={css.narrow}>
              <ConnectorForm
                id={id}
                values={ofConnector(found)}
                overrides={found.riskPolicy.overrides}
                verb="Save"
                save={async (request) => {
                  await body(api.PATCH("/v1/connectors/{id}", { params, body: request }));
                  await client.invalidateQueries({ queryKey: ["connectors"] });
                  toast.done("Saved.", "Calls from now on go by it.");
                }}
              />
            </Card>
          </>
        )}
      </Answer>
    </Page>
  );
}
