import { ChevronLeft } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { Link } from "react-router";
import { escapeLine } from "@/lib/visible";
import type { Live } from "@/live/useLive";
import { VisibilityBadge } from "@/parts/visibility";
import { Connection } from "./Connection";
import css from "./Header.module.css";
import { Presence } from "./Presence";
import type { Session } from "./queries";
import { SessionMenu } from "./SessionMenu";
import { Standing } from "./Standing";

type Props = { id: string; live: Live; session: Session | undefined; children: ReactNode };

export function Header({ id, live, session, children }: Props) {
  const { conversation } = live;
  const title = escapeLine(conversation.title ?? session?.title ?? "Untitled session");
  useEffect(() => {
    document.title = `${title} · Proliferate`;
  }, [title]);
  return (
    <header className={css.header}>
      <Link to="/sessions" className={css.back} aria-label="Back to sessions">
        <ChevronLeft aria-hidden />
      </Link>
      <div className={css.words}>
        <h1 className={css.title}>{title}</h1>
        <p className={css.facts}>
          {session ? escapeLine(`${session.sessionType} · ${session.agentConfig.modelId}`) : "…"}
        </p>
      </div>
      <div className={css.right}>
        <VisibilityBadge of={session?.visibility} />
        <Presence conversation={conversation} />
        <Connection state={live.state} />
        <Standing conversation={conversation} />
        <SessionMenu id={id} live={live} session={session} />
        {children}
      </div>
    </header>
  );
}
