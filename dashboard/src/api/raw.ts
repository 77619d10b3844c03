// Requests whose answers are not JSON of the API's document.
import { Problem } from "./problem";
import { authorize } from "./session";

/** The answer, or the Problem it is. */
export async function ask(path: string, accept: string): Promise<Response> {
  const headers = new Headers({ Accept: accept });
  authorize(headers, "GET");
  const response = await fetch(path, { headers }).catch((cause) => {
    throw Problem.from(cause);
  });
  if (!response.ok) throw await Problem.ofResponse(response);
  return response;
}
