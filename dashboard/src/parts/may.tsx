import { useMe } from "@/api/me";
import { Note } from "@/ui/Note";

const WHY = "Only admins and owners of the organization may do this.";

/** Whether an admin's work can be done here, and as what a button says why it cannot. The API decides. */
export function useMay() {
  const { me, isAdmin } = useMe();
  return { isAdmin, guard: isAdmin ? {} : { disabled: true, title: me ? WHY : undefined } };
}

/** Shown once at the top of a screen, to explain its disabled buttons. */
export function LookOnly({ what }: { what: string }) {
  const { me, isAdmin } = useMe();
  if (!me || isAdmin) return null;
  return <Note>You can look at everything here. {what} is for admins and owners of the organization.</Note>;
}
