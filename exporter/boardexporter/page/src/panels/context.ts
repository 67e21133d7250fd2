import type { Annotation } from '../data/annotations';
import type { Exemplar } from '../data/exemplars';
import type { Frame } from '../data/frame';
import type { ThemeName } from '../field/color';
import type { LinkContext } from '../field/links';
import type { Panel } from '../model';
import type { TimeRange } from '../time/range';
import type { Settings } from '../ui/settings';

/** All a panel needs to draw itself. Frames are transformed and carry their field configuration. */
export interface PanelContext {
  panel: Panel;
  title: string;
  frames: Frame[];
  theme: ThemeName;
  range: TimeRange;
  links: LinkContext;
  annotations: Annotation[];
  exemplars: Exemplar[];
  settings: Settings;
  /** Charts with the same key share their crosshair. */
  syncKey: string | undefined;
  /** What the reader did to this panel (hidden series, sort order); it outlives a refresh. */
  memory: Map<string, unknown>;
  /** Narrows the dashboard's time range, in milliseconds. */
  zoom: (range: TimeRange) => void;
}

/** Draws into an empty box; the result is called before the box is emptied. */
export type PanelRenderer = (box: HTMLElement, c: PanelContext) => () => void;

/** An option of the panel by path, or the default. */
export function option(c: { panel: Panel }, path: string, otherwise: string): string;
export function option(c: { panel: Panel }, path: string, otherwise: boolean): boolean;
export function option(c: { panel: Panel }, path: string, otherwise: number): number;
export function option<T>(c: { panel: Panel }, path: string, otherwise: T): T;
export function option<T>(c: { panel: Panel }, path: string, otherwise: T): T {
  let at: unknown = c.panel.options;
  for (const step of path.split('.')) at = (at as Record<string, unknown> | undefined)?.[step];
  return at === undefined || at === null || at === '' ? otherwise : (at as T);
}

export function remembered<T>(c: PanelContext, key: string, make: () => T): T {
  if (!c.memory.has(key)) c.memory.set(key, make());
  return c.memory.get(key) as T;
}
