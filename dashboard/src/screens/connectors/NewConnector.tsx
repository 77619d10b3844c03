import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { api, body, newKey } from "@/api/client";
import { LookOnly } from "@/parts/may";
import { Answer } from "@/ui/Answer";
import { Button } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { LinkButton } from "@/ui/LinkButton";
import { Page } from "@/ui/Page";
import { toast } from "@/ui/Toast";
import { ConnectorForm } from "./ConnectorForm";
import css from "./connectors.module.css";
import { EMPTY, ofPreset } from "./form";
import { usePresets } from "./queries";

export function NewConnector() {
  const [search, setSearch] = useSearchParams();
  const presets = usePresets();
  const navigate = useNavigate();
  const client = useQueryClient();
  // One id for all attempts to save: a repeated one adds no second connector.
  const [id] = useState(newKey);
  const chosen = search.get("preset") ?? "custom";
  return (
    <Page
      title="Add an MCP server"
      lead="Any server that speaks the Model Context Protocol over HTTP."
      actions={<LinkButton to="/connectors">Back</LinkButton>}
    >
      <LookOnly what="Adding a server" />
      <Answer of={presets} what="Looking for presets">
        {({ presets: known }) => {
          const preset = known.find((each) => each.preset === chosen);
          return (
            <>
              <fieldset className="row" style={{ border: 0, margin: 0, padding: 0 }}>
                <legend className="visually-hidden">Begin with</legend>
                {known.map((each) => (
                  <Button
                    key={each.preset}
                    kind={each.preset === chosen ? "primary" : "plain"}
                    aria-pressed={each.preset === chosen}
                    onClick={() => setSearch({ preset: each.preset }, { replace: true })}
                  >
                    {each.name}
                  </Button>
                ))}
              </fieldset>
              <Card className={css.narrow}>
                <ConnectorForm
                  key={chosen}
                  id={id}
                  values={preset ? ofPreset(preset) : EMPTY}
                  verb="Add it"
                  save={async (request) => {
                    const added = await body(api.POST("/v1/connectors", { body: { id, ...request } }));
                    await client.invalidateQueries({ queryKey: ["connectors"] });
                    toast.done(`${added.name} is added.`, "Sessions that begin from now on see its tools.");
                    await navigate(`/connectors/${added.id}`);
                  }}
                />
              </Card>
            </>
          );
        }}
      </Answer>
    </Page>
  );
}
