import { chooseTheme, type Theme, useTheme } from "@/app/theme";
import { Card } from "@/ui/Card";
import css from "./settings.module.css";

const THEMES: { value: Theme; name: string; words: string }[] = [
  { value: "system", name: "Like the system", words: "Changes with it." },
  { value: "light", name: "Light", words: "Always." },
  { value: "dark", name: "Dark", words: "Always." },
];

/** On this device alone. */
export function Appearance() {
  const chosen = useTheme();
  return (
    <Card title="Theme">
      <fieldset className={css.themes}>
        <legend className="visually-hidden">Theme</legend>
        {THEMES.map(({ value, name, words }) => (
          <label key={value} className={css.theme}>
            <input type="radio" name="theme" checked={chosen === value} onChange={() => chooseTheme(value)} />
            <span>
              {name} <span className="muted small">{words}</span>
            </span>
          </label>
        ))}
      </fieldset>
    </Card>
  );
}
