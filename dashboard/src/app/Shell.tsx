import { Outlet, ScrollRestoration, useNavigation } from "react-router";
import { LimitsBanner } from "@/parts/LimitsBanner";
import { OrganizationBanner } from "@/parts/organization";
import { MobileBar } from "./MobileBar";
import { useNewCallNotices } from "./notices";
import { OfflineBanner } from "./OfflineBanner";
import { Palette } from "./Palette";
import css from "./Shell.module.css";
import { Sidebar } from "./Sidebar";
import { useNews } from "./useNews";

/** What surrounds every screen. */
export function Shell() {
  const { state } = useNavigation();
  useNews();
  useNewCallNotices();
  return (
    <div className={css.shell}>
      <a className={css.skip} href="#main">
        Skip to the content
      </a>
      <aside className={css.side}>
        <Sidebar />
      </aside>
      <main id="main" className={css.main} tabIndex={-1} aria-busy={state !== "idle"}>
        <OfflineBanner />
        <LimitsBanner />
        <OrganizationBanner />
        <Outlet />
      </main>
      <MobileBar />
      <Palette />
      <ScrollRestoration />
    </div>
  );
}
