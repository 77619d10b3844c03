import { QueryCache, QueryClient } from "@tanstack/react-query";
import { Problem } from "@/api/problem";
import { isSigningOut } from "@/api/session";

/** Asks again only where the API says that the same may go well. */
function retry(failures: number, error: Error): boolean {
  return failures < 2 && Problem.from(error).retryable;
}

/** Pages for readers without a login. */
const PUBLIC = ["/login", "/invite", "/setup", "/shared"];

/** A login that expired while the page was open: the user logs in again, and returns. */
function signInAgain(error: Error): void {
  if (Problem.from(error).status !== 401 || PUBLIC.includes(location.pathname) || isSigningOut()) return;
  location.assign(`/login?to=${encodeURIComponent(location.pathname + location.search)}`);
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: signInAgain }),
  defaultOptions: {
    // The browser's idea of being online says nothing of a gateway on this machine.
    queries: { networkMode: "always", retry, staleTime: 5_000, refetchOnWindowFocus: true },
    mutations: { networkMode: "always" },
  },
});
