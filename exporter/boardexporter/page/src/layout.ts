import type { Dashboard, GridPos, Panel } from './model';
import { h, icon } from './ui/dom';
import { PanelView } from './ui/panelview';

/** Panels under one row heading; the first section may have none. */
export interface Section {
  row: Panel | undefined;
  panels: Panel[];
  collapsed: boolean;
}

const byPlace = (a: Panel, b: Panel): number => a.gridPos.y - b.gridPos.y || a.gridPos.x - b.gridPos.x;

/** Rows of the classic schema hold their panels when collapsed; else they stand before them in the list. */
export function sections(d: Dashboard): Section[] {
  const out: Section[] = [{ row: undefined, panels: [], collapsed: false }];
  for (const p of [...(d.panels ?? [])].sort(byPlace)) {
    if (p.type === 'row') out.push({ row: p, panels: [...(p.panels ?? [])].sort(byPlace), collapsed: p.collapsed === true });
    else out[out.length - 1]!.panels.push(p);
  }
  return out.filter((s) => s.row || s.panels.length);
}

/** A panel's place inside its section, as lines of the grid (from 1). */
export function gridArea(p: GridPos, top: number): string {
  return `${p.y - top + 1} / ${p.x + 1} / span ${p.h} / span ${p.w}`;
}

export interface Layout {
  element: HTMLElement;
  views: PanelView[];
  /** Writes the row titles again after variables changed. */
  titles: (fill: (s: string) => string) => void;
}

/** Builds the dashboard's grid. opened is called with the panels of a row that was opened. */
export function buildLayout(d: Dashboard, only: number | undefined, opened: (views: PanelView[]) => void): Layout {
  const views: PanelView[] = [];
  const headings: { text: HTMLElement; row: Panel }[] = [];
  const main = h('div', { class: 'dashboard' });
  if (only !== undefined) {
    const panel = sections(d).flatMap((s) => s.panels).find((p) => p.id === only);
    if (panel) {
      const v = new PanelView(panel, true);
      v.element.classList.add('alone');
      views.push(v);
      main.append(v.element);
    }
    return { element: main, views, titles: () => {} };
  }
  for (const s of sections(d)) {
    const grid = h('div', { class: 'grid', hidden: s.collapsed });
    const mine = s.panels.map((p) => new PanelView(p, false));
    const top = Math.min(...s.panels.map((p) => p.gridPos.y));
    for (const v of mine) {
      v.element.style.gridArea = gridArea(v.panel.gridPos, top);
      v.element.style.setProperty('--rows', String(v.panel.gridPos.h));
    }
    grid.append(...mine.map((v) => v.element));
    if (!s.collapsed) views.push(...mine);
    if (s.row) {
      const text = h('span', {}, s.row.title ?? '');
      headings.push({ text, row: s.row });
      const button = h('button', { type: 'button', class: 'row-button', 'aria-expanded': String(!s.collapsed) }, icon('down'), text);
      let loaded = !s.collapsed;
      button.addEventListener('click', () => {
        grid.hidden = !grid.hidden;
        button.setAttribute('aria-expanded', String(!grid.hidden));
        if (loaded || grid.hidden) return;
        loaded = true;
        views.push(...mine);
        opened(mine);
      });
      main.append(h('h2', { class: 'row-title' }, button));
    }
    main.append(grid);
  }
  return {
    element: main,
    views,
    titles: (fill) => {
      for (const { text, row } of headings) text.textContent = fill(row.title ?? '');
    },
  };
}
