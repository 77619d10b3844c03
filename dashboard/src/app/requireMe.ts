import { type LoaderFunctionArgs, redirect } from "react-router";
import { meQuery } from "@/api/me";
import { Problem } from "@/api/problem";
import { queryClient } from "./query";

/** A user who is not signed in is redirected to the login, and then to the requested page. */
export async function requireMe({ request }: LoaderFunctionArgs) {
  try {
    return await queryClient.ensureQueryData(meQuery);
  } catch (error) {
    if (Problem.from(error).status !== 401) throw error;
    const { pathname, search } = new URL(request.url);
    throw redirect(`/login?to=${encodeURIComponent(pathname + search)}`);
  }
}
