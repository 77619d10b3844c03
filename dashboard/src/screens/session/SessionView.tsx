import { useQuery } from "@tanstack/react-query";
import { PanelRight } from "lucide-react";
import { useState } from "react";
import { cx } from "@/lib/cx";
import type { Live } from "@/live/useLive";
import { LockBanner } from "@/parts/LockBanner";
import { Button } from "@/ui/Button";
import { Asks } from "./asks/Asks";
import { Header } from "./Header";
import { Moving } from "./Moving";
import { PromptBox } from "./PromptBox";
import { Panels } from "./panels/Panels";
import { sessionQuery } from "./queries";
import css from "./session.module.css";
import { Transcript } from "./transcript/Transcript";

/** A session: the conversation and what waits in it, and beside it what came of it. */
export function SessionView({ id, live, version }: { id: string; live: Live; version: number }) {
  const { data: session } = useQuery(sessionQuery(id));
  const [beside, setBeside] = useState(() => window.matchMedia("(min-width: 1100px)").matches);
  return (
    <div className={css.screen}>
      <Header id={id} live={live} session={session}>
        <Button
          kind="quiet"
          size="s"
          aria-pressed={beside}
          aria-label={beside ? "Hide the panels" : "Show the panels"}
          onClick={() => setBeside(!beside)}
        >
          <PanelRight aria-hidden />
        </Button>
      </Header>
      <LockBanner />
      <div className={cx(css.columns, beside && css.withPanels)}>
        <section className={css.talk} aria-label="Conversation">
          <Transcript conversation={live.conversation} version={version} session={session} />
          <Asks sessionId={id} conversation={live.conversation} />
          <Moving moving={live.conversation.moving} />
          <PromptBox id={id} live={live} session={session} />
        </section>
        {beside && (
          <aside className={css.panels} aria-label="About the session">
            <Panels id={id} live={live} session={session} />
          </aside>
        )}
      </div>
    </div>
  );
}
