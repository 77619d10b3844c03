import { Tabs as Radix } from "radix-ui";
import type { ReactNode } from "react";
import css from "./Tabs.module.css";

type Tab = { value: string; label: ReactNode; content: ReactNode };
type Props = { tabs: Tab[]; value: string; onChange: (value: string) => void; label: string };

/** On a narrow screen the row is wider than the page: the tab that is shown stands in its middle. */
function centre(tab: HTMLElement | null): void {
  const row = tab?.parentElement;
  if (tab && row) row.scrollLeft = tab.offsetLeft - (row.clientWidth - tab.offsetWidth) / 2;
}

export function Tabs({ tabs, value, onChange, label }: Props) {
  return (
    <Radix.Root className={css.root} value={value} onValueChange={onChange}>
      <Radix.List className={css.list} aria-label={label}>
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            ref={tab.value === value ? centre : undefined}
            value={tab.value}
            className={css.tab}
          >
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.value} value={tab.value} className={css.content} tabIndex={-1}>
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
