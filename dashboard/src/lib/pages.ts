// Lists that the API gives out a page at a time.
import { type QueryKey, useInfiniteQuery } from "@tanstack/react-query";

type PageOf<T> = { items: T[]; nextCursor?: string | null };
type Options = { enabled?: boolean; refetchInterval?: number };

/** All pages that were asked for so far, as one list. */
export function usePages<T>(
  key: QueryKey,
  page: (cursor: string | undefined) => Promise<PageOf<T>>,
  options: Options = {},
) {
  return useInfiniteQuery({
    ...options,
    queryKey: key,
    queryFn: ({ pageParam }) => page(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
    select: ({ pages }) => pages.flatMap(({ items }) => items),
  });
}

/** Every page of a short list, such as one to choose from. */
export async function allPages<T>(page: (cursor: string | undefined) => Promise<PageOf<T>>): Promise<T[]> {
  const items: T[] = [];
  // Ends: a list to choose from has no more than this.
  for (let cursor: string | undefined, turns = 0; turns < 20; turns += 1) {
    const next = await page(cursor);
    items.push(...next.items);
    cursor = next.nextCursor ?? undefined;
    if (!cursor) break;
  }
  return items;
}
