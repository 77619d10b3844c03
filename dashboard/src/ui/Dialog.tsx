import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import css from "./Dialog.module.css";

type Props = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  lead?: ReactNode;
  children: ReactNode;
  wide?: boolean;
};

export function Dialog({ open, onOpenChange, title, lead, children, wide }: Props) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={css.shade} />
        <Radix.Content className={css.dialog} data-wide={wide || undefined}>
          <header className={css.head}>
            <Radix.Title className={css.title}>{title}</Radix.Title>
            <Radix.Close className={css.close} aria-label="Close">
              <X aria-hidden />
            </Radix.Close>
          </header>
          <Radix.Description asChild>
            {lead ? <p className={css.lead}>{lead}</p> : <span className="visually-hidden">{title}</span>}
          </Radix.Description>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
