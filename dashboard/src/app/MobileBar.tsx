import { Menu } from "lucide-react";
import { Dialog } from "radix-ui";
import { useState } from "react";
import { NavLink } from "react-router";
import { useMe } from "@/api/me";
import { cx } from "@/lib/cx";
import css from "./MobileBar.module.css";
import { allPlaces, PHONE_PLACES, placesFor } from "./places";
import { Sidebar } from "./Sidebar";
import { useWaiting } from "./useWaiting";

/** The bottom edge of a phone: what is needed most, and a drawer with the rest. */
export function MobileBar() {
  const [open, setOpen] = useState(false);
  const waiting = useWaiting();
  const { operates } = useMe();
  return (
    <nav className={css.bar} aria-label="Quick">
      {allPlaces(placesFor(operates))
        .filter(({ to }) => PHONE_PLACES.includes(to))
        .map(({ to, name, icon: Icon }) => (
          <NavLink key={to} to={to} className={({ isActive }) => cx(css.link, isActive && css.active)}>
            <Icon aria-hidden />
            {name}
            {to === "/approvals" && waiting > 0 && (
              <span className={css.count}>
                {waiting} <span className="visually-hidden">waiting</span>
              </span>
            )}
          </NavLink>
        ))}
      <Dialog.Root open={open} onOpenChange={setOpen}>
        <Dialog.Trigger className={css.link}>
          <Menu aria-hidden /> More
        </Dialog.Trigger>
        <Dialog.Portal>
          <Dialog.Overlay className={css.shade} />
          <Dialog.Content className={css.drawer} aria-describedby={undefined}>
            <Dialog.Title className="visually-hidden">Everything</Dialog.Title>
            <Sidebar onGo={() => setOpen(false)} />
          </Dialog.Content>
        </Dialog.Portal>
      </Dialog.Root>
    </nav>
  );
}
