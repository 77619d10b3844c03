import { Tabs as Radix } from "radix-ui";
import type { ReactNode } from "react";
import css from "./Tabs.module.css";

type Tab = { value: string; label: ReactNode; content: ReactNode };
type Props = { tabs: Tab[]; value: string; onChange: (value: string) => void; label: string };

export function Tabs({ tabs, value, onChange, label }: Props) {
  return (
    <Radix.Root className={css.root} value={value} onValueChange={onChange}>
      <Radix.List className={css.list} aria-label={label}>
        {tabs.map((tab) => (
          <Radix.Trigger key={tab.value} value={tab.value} className={css.tab}>
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
