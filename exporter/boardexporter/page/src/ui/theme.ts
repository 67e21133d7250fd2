import type { ThemeName } from '../field/color';

const KEY = 'harnesserr.theme';

export type ThemeChoice = ThemeName | 'system';

const dark = window.matchMedia('(prefers-color-scheme: dark)');

export function themeChoice(): ThemeChoice {
  const v = localStorage.getItem(KEY);
  return v === 'light' || v === 'dark' ? v : 'system';
}

export function currentTheme(): ThemeName {
  const c = themeChoice();
  return c === 'system' ? (dark.matches ? 'dark' : 'light') : c;
}

function show(): void {
  document.documentElement.dataset.theme = currentTheme();
}

export function setTheme(c: ThemeChoice): void {
  if (c === 'system') localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, c);
  show();
}

/** Follows the system as long as the user has not chosen. */
export function watchTheme(changed: () => void): void {
  show();
  dark.addEventListener('change', () => {
    if (themeChoice() !== 'system') return;
    show();
    changed();
  });
}
