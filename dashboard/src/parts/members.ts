// Who belongs to the organization.
import { useQuery } from "@tanstack/react-query";
import { api, body, type Schemas } from "@/api/client";
import { useMe } from "@/api/me";
import { escapeLine } from "@/lib/visible";

export type Member = Schemas["MemberView"];

export const useMembers = () =>
  useQuery({ queryKey: ["members"], queryFn: () => body(api.GET("/v1/members")) });

/** A member by their name. */
export function Person({ id }: { id: string }) {
  return useMemberName()(id);
}

/** The name of a user: `you`, their name, or their id if they belong to it no more. */
export function useMemberName(): (userId: string) => string {
  const { me } = useMe();
  const { data } = useMembers();
  const names = new Map(data?.items.map(({ userId, name }) => [userId, name]));
  return (userId) => (userId === me?.userId ? "you" : escapeLine(names.get(userId) ?? userId));
}
