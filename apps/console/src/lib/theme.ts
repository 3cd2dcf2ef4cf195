// The chosen theme. The work is done by public/theme.js, which runs before the first paint.

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

declare global {
  interface Window {
    readTheme?: () => string;
    setTheme?: (theme: Theme) => void;
  }
}

export function readTheme(): Theme {
  const chosen = window.readTheme?.();
  return themes.find((theme) => theme === chosen) ?? "system";
}

export function setTheme(theme: Theme): void {
  window.setTheme?.(theme);
}
