import { QueryCache, QueryClient } from "@tanstack/react-query";
import { Problem } from "@/api/problem";

/** Asks again only where the API says that the same may go well. */
function retry(failures: number, error: Error): boolean {
  return failures < 2 && Problem.from(error).retryable;
}

/** A login that expired while the page was open: the user logs in again, and returns. */
function signInAgain(error: Error): void {
  if (Problem.from(error).status !== 401 || location.pathname === "/login") return;
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
