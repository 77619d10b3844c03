import { isRouteErrorResponse, useRouteError } from "react-router";
import { Problem } from "@/api/problem";
import { Failure } from "@/ui/Failure";
import { Page } from "@/ui/Page";

/** A screen that could not be shown; the rest of the dashboard goes on. */
export function ScreenFailure() {
  const error = useRouteError();
  const problem = isRouteErrorResponse(error)
    ? new Problem({ status: error.status, detail: error.statusText })
    : Problem.from(error);
  return (
    <Page title="This page could not be shown">
      <Failure error={problem} again={() => location.reload()} />
    </Page>
  );
}
