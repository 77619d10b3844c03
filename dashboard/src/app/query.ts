import { QueryClient } from "@tanstack/react-query";
import { Problem } from "@/api/problem";

/** Asks again only where the API says that the same may go well. */
function retry(failures: number, error: Error): boolean {
  return failures < 2 && Problem.from(error).retryable;
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { networkMode: "always", retry, staleTime: 5_000, refetchOnWindowFocus: true },
    mutations: { networkMode: "always" },
  },
});
