import type { ReactNode } from "react";
import { escapeLine } from "@/lib/visible";

/** Words among elements: a text may be of others and is escaped, elements escape what they show themselves. */
export const shown = (node: ReactNode): ReactNode => (typeof node === "string" ? escapeLine(node) : node);
