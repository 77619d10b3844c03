import { useQueryClient } from "@tanstack/react-query";
import { ChevronsUpDown, LogOut, Monitor, Moon, Sun } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import { useNavigate } from "react-router";
import { useMe } from "@/api/me";
import { signOut } from "@/api/session";
import { escapeLine } from "@/lib/visible";
import { Menu, MenuChoice, MenuItem } from "@/ui/Menu";
import { toast } from "@/ui/Toast";
import css from "./AccountMenu.module.css";
import { chooseTheme, type Theme, useTheme } from "./theme";

const THEMES: { value: Theme; name: string; icon: typeof Sun }[] = [
  { value: "system", name: "Like the system", icon: Monitor },
  { value: "light", name: "Light", icon: Sun },
  { value: "dark", name: "Dark", icon: Moon },
];

export function AccountMenu() {
  const { me } = useMe();
  const name = escapeLine(me?.name ?? me?.userId ?? "Signed in");
  const theme = useTheme();
  const navigate = useNavigate();
  const client = useQueryClient();
  const leave = async () => {
    try {
      const endSessionUrl = await signOut();
      client.clear();
      // The identity provider ends its own session, and comes back to the login page.
      if (endSessionUrl) location.assign(endSessionUrl);
      else await navigate("/login");
    } catch (problem) {
      toast.failed(problem);
    }
  };
  return (
    <Menu
      side="top"
      align="start"
      trigger={
        <button type="button" className={css.trigger}>
          <span className={css.face} aria-hidden="true">
            {name.slice(0, 1).toUpperCase()}
          </span>
          <span className={css.words}>
            <span className="truncate">{name}</span>
            <span className={css.role}>{[me?.organizationName, me?.role].filter(Boolean).join(" · ")}</span>
          </span>
          <ChevronsUpDown aria-hidden className={css.chevrons} />
        </button>
      }
    >
      <DropdownMenu.Label className={css.label}>Theme</DropdownMenu.Label>
      <DropdownMenu.RadioGroup value={theme} onValueChange={(value) => chooseTheme(value as Theme)}>
        {THEMES.map(({ value, name, icon: Icon }) => (
          <MenuChoice key={value} value={value}>
            <Icon aria-hidden /> {name}
            <DropdownMenu.ItemIndicator className={css.tick}>✓</DropdownMenu.ItemIndicator>
          </MenuChoice>
        ))}
      </DropdownMenu.RadioGroup>
      <DropdownMenu.Separator className={css.line} />
      <MenuItem onSelect={leave}>
        <LogOut aria-hidden /> Sign out
      </MenuItem>
    </Menu>
  );
}
