import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Failure } from "./Failure";
import { Loading } from "./Loading";

type Asked<T> = Pick<UseQueryResult<T>, "data" | "error" | "isPending" | "refetch">;
type Props<T> = { of: Asked<T>; what?: string; children: (data: T) => ReactNode };

/** What was asked for, that it is on its way, or why it did not come. What came before stays when asking again fails. */
export function Answer<T>({ of, what, children }: Props<T>) {
  const again = () => void of.refetch();
  if (of.data === undefined)
    return of.error ? <Failure error={of.error} again={again} /> : <Loading what={what} />;
  return (
    <>
      {of.error && <Failure error={of.error} again={again} />}
      {children(of.data)}
    </>
  );
}
