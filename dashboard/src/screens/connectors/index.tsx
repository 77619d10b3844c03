import { Route, Routes } from "react-router";
import { NotFound } from "@/app/NotFound";
import { LookOnly } from "@/parts/may";
import { LinkButton } from "@/ui/LinkButton";
import { Page } from "@/ui/Page";
import { ConnectorList } from "./ConnectorList";
import { ConnectorPage } from "./ConnectorPage";
import { NewConnector } from "./NewConnector";
import { Services } from "./Services";

function Overview() {
  return (
    <Page
      title="Connectors"
      lead="What agents can act on: the services that the organization is connected to, and MCP servers."
      actions={
        <LinkButton to="/connectors/new" kind="primary">
          Add an MCP server
        </LinkButton>
      }
    >
      <LookOnly what="Connecting and changing" />
      <Services />
      <ConnectorList />
    </Page>
  );
}

export default function ConnectorsScreen() {
  return (
    <Routes>
      <Route index element={<Overview />} />
      <Route path="new" element={<NewConnector />} />
      <Route path=":id" element={<ConnectorPage />} />
      <Route path="*" element={<NotFound />} />
    </Routes>
  );
}
