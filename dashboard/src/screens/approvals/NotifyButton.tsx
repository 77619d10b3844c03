import { Bell, BellRing } from "lucide-react";
import { askForNotices, useNotices } from "@/app/notices";
import { Button } from "@/ui/Button";

/** Whether this browser says when something new waits. */
export function NotifyButton() {
  const state = useNotices();
  if (state === "impossible") return null;
  if (state === "refused") {
    return (
      <p className="muted small">
        This browser refuses notifications of this page; its settings can allow them.
      </p>
    );
  }
  return (
    <Button onClick={() => askForNotices(state !== "on")} aria-pressed={state === "on"}>
      {state === "on" ? <BellRing aria-hidden /> : <Bell aria-hidden />}
      {state === "on" ? "Notifications are on" : "Notify me"}
    </Button>
  );
}
