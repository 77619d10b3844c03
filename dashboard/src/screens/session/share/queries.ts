import { queryOptions } from "@tanstack/react-query";
import { api, body, type Schemas } from "@/api/client";

export type Sharing = Schemas["SessionSharingView"];
export type Named = { userId: string; may: Schemas["NamedRight"] };
export type ShareLink = Schemas["ShareLinkView"];

export const sharingQuery = (id: string) =>
  queryOptions({
    queryKey: ["sessions", id, "sharing"],
    queryFn: () => body(api.GET("/v1/sessions/{id}/sharing", { params: { path: { id } } })),
  });

export const linksQuery = (id: string) =>
  queryOptions({
    queryKey: ["sessions", id, "share-links"],
    queryFn: () => body(api.GET("/v1/sessions/{id}/share-links", { params: { path: { id } } })),
  });
