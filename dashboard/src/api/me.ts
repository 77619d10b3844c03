import { queryOptions, useQuery } from "@tanstack/react-query";
import { api, body } from "./client";

export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: () => body(api.GET("/v1/me")),
  staleTime: 60_000,
});

/** What the signed-in user may do; the API decides, this only hides what it would refuse. */
export function useMe() {
  const { data } = useQuery(meQuery);
  return {
    me: data,
    isAdmin: data?.role === "admin" || data?.role === "owner",
    operates: data?.operatesFleet === true,
  };
}
