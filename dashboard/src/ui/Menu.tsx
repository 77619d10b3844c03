import { DropdownMenu } from "radix-ui";
import type { ComponentProps, ReactNode } from "react";
import css from "./Menu.module.css";

type Props = Pick<ComponentProps<typeof DropdownMenu.Content>, "side" | "align"> & {
  /** What opens it: one button. */
  trigger: ReactNode;
  children: ReactNode;
};

/** Things to do, behind a button. */
export function Menu({ trigger, children, ...place }: Props) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className={css.menu} sideOffset={6} {...place}>
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

export const MenuItem = (props: ComponentProps<typeof DropdownMenu.Item>) => (
  <DropdownMenu.Item {...props} className={css.item} />
);

/** One of several, of which one is chosen. */
export const MenuChoice = (props: ComponentProps<typeof DropdownMenu.RadioItem>) => (
  <DropdownMenu.RadioItem {...props} className={css.item} />
);
