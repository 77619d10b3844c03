import { type LoaderFunctionArgs, redirect } from "react-router";
import { meQuery } from "@/api/me";
import { Problem } from "@/api/problem";
import { queryClient } from "./query";

/** Whoever is not signed in is asked to, and comes back to where they were going. */
export async function requireMe({ request }: LoaderFunctionArgs) {
  try {
    return await queryClient.ensureQueryData(meQuery);
  } catch (error) {
    if (Problem.from(error).status !== 401) throw error;
    const { pathname, search } = new URL(request.url);
    throw redirect(`/login?to=${encodeURIComponent(pathname + search)}`);
  }
}
