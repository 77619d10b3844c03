// The built-in sources, as the gateway's reference has them.
import declared from "../../../docs/reference/sources.json";

export type Source = {
  id: string;
  name: string;
  summary: string;
  /** Whether organizations may connect an app of their own. */
  app: boolean;
};

export const SOURCES: Source[] = declared;
