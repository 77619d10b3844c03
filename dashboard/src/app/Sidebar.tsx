import { Search } from "lucide-react";
import { NavLink } from "react-router";
import { useMe } from "@/api/me";
import { cx } from "@/lib/cx";
import { AccountMenu } from "./AccountMenu";
import { openPalette } from "./palette";
import { placesFor } from "./places";
import css from "./Sidebar.module.css";
import { useWaiting } from "./useWaiting";

/** The pages, the signed-in user, and the command palette. */
export function Sidebar({ onGo }: { onGo?: () => void }) {
  const waiting = useWaiting();
  const { operates } = useMe();
  return (
    <div className={css.sidebar}>
      <div className={css.brand}>
        <img src="/favicon.svg" alt="" width="22" height="22" /> Proliferate
      </div>
      <button type="button" className={css.search} onClick={openPalette}>
        <Search aria-hidden /> Go to… <kbd>Ctrl K</kbd>
      </button>
      <nav aria-label="Main" className={css.nav}>
        {placesFor(operates).map(({ group, places }) => (
          <section key={group} aria-label={group}>
            <p className={css.group}>{group}</p>
            {places.map(({ to, name, icon: Icon }) => (
              <NavLink
                key={to}
                to={to}
                onClick={onGo}
                className={({ isActive }) => cx(css.link, isActive && css.active)}
              >
                <Icon aria-hidden /> {name}
                {to === "/approvals" && waiting > 0 && (
                  <span className={css.count}>
                    {waiting} <span className="visually-hidden">waiting for a decision</span>
                  </span>
                )}
              </NavLink>
            ))}
          </section>
        ))}
      </nav>
      <AccountMenu />
    </div>
  );
}
