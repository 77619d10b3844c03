import { useEffect, useRef, useState } from "react";

/** As long as a user needs to see that a list moved under the pointer. */
const MOVED_MS = 800;

/** Whether a list changed a moment ago: what is clicked now may not be what was meant. */
export function useMoving(list: string): boolean {
  const before = useRef(list);
  const [moved, setMoved] = useState<string>();
  const isNew = before.current !== list;
  useEffect(() => {
    if (before.current === list) return;
    before.current = list;
    setMoved(list);
    const over = setTimeout(() => setMoved(undefined), MOVED_MS);
    return () => clearTimeout(over);
  }, [list]);
  return isNew || moved === list;
}
