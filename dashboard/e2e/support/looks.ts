// How a page looks in both themes: a picture to look at, and what axe finds.
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";

/** What the law asks for, in most places. */
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"];
const THEMES = ["light", "dark"] as const;
type Theme = (typeof THEMES)[number];

/** What another theme may break. */
const RULES_OF_COLOUR = ["color-contrast", "link-in-text-block"];

/** What is serious of what axe finds, in a line each. */
export async function violations(page: Page, where: string, theme: Theme = "light"): Promise<string[]> {
  // What programs in a terminal paint, and pages that agents built, have colours of their own.
  const axe = new AxeBuilder({ page }).exclude(".xterm").exclude("iframe");
  const looked = theme === "light" ? axe.withTags(RULES) : axe.withRules(RULES_OF_COLOUR);
  const { violations: all } = await looked.analyze();
  const serious = all.filter(({ impact }) => impact === "serious" || impact === "critical");
  return serious.map(
    ({ id, nodes }) => `${where}: ${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`,
  );
}

/** Waits until what is painted is what was asked for: colours on their way from one theme to the other are of neither. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
    const transitions = document.getAnimations().filter((one) => one instanceof CSSTransition);
    await Promise.allSettled(transitions.map(({ finished }) => finished));
  });
}

/** A picture in each theme, and what is serious there. */
export async function pictured(page: Page, name: string): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme });
    await settled(page);
    await page.screenshot({ path: `e2e/output/screens/${name}-${colorScheme}.png` });
    found.push(...(await violations(page, `${name} in ${colorScheme}`, colorScheme)));
  }
  await page.emulateMedia({ colorScheme: "light" });
  return found;
}
