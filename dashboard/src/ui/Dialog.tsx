import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import css from "./Dialog.module.css";
import { shown } from "./shown";

type Props = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  lead?: ReactNode;
  children: ReactNode;
  wide?: boolean;
};

/** Where there is something to fill in, one can begin to type. */
function toTheFirstField(event: Event): void {
  const field = (event.target as Element).querySelector<HTMLElement>("input, select, textarea");
  if (!field) return;
  event.preventDefault();
  field.focus();
}

export function Dialog({ open, onOpenChange, title, lead, children, wide }: Props) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={css.shade} />
        <Radix.Content className={css.dialog} data-wide={wide || undefined} onOpenAutoFocus={toTheFirstField}>
          <header className={css.head}>
            <Radix.Title className={css.title}>{shown(title)}</Radix.Title>
            <Radix.Close className={css.close} aria-label="Close">
              <X aria-hidden />
            </Radix.Close>
          </header>
          <Radix.Description asChild>
            {lead ? (
              <p className={css.lead}>{shown(lead)}</p>
            ) : (
              <span className="visually-hidden">{shown(title)}</span>
            )}
          </Radix.Description>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
