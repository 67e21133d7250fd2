import type { Panel } from '../model';
import type { Annotation } from '../data/annotations';
import { queryExemplars, type Exemplar } from '../data/exemplars';
import { hasData, timeField, type Frame } from '../data/frame';
import { resolution, timeVariables } from '../data/interval';
import { joinByField } from '../data/join';
import type { PromClient } from '../data/prom';
import { queryPanel } from '../data/query';
import { transform } from '../data/transform';
import { applyFieldConfig } from '../field/overrides';
import type { ThemeName } from '../field/color';
import { resolveLinks, type LinkContext } from '../field/links';
import { RENDERERS } from '../panels';
import type { PanelContext } from '../panels/context';
import { drawTable } from '../panels/table';
import type { TimeRange } from '../time/range';
import { interpolate, type Purpose } from '../vars/variables';
import { h, iconButton, uniqueId } from './dom';
import { linkElement } from './linklist';
import { markdown } from './markdown';
import { closePopover, menuKeys, showPopover } from './popover';
import type { Settings } from './settings';

/** What one run over the dashboard gives to each panel. */
export interface Run {
  prom: PromClient;
  range: TimeRange;
  links: LinkContext;
  theme: ThemeName;
  settings: Settings;
  syncKey: string | undefined;
  /** How often samples arrive, in milliseconds. */
  scrape: number;
  annotations: Promise<Annotation[]>;
  signal: AbortSignal;
  zoom: (r: TimeRange) => void;
  /** Shows one panel alone, or all again. */
  view: (id: number | undefined) => void;
}

export type PanelState = 'loading' | 'data' | 'nodata' | 'error';

const WITH_TIME_AXIS = new Set(['timeseries', 'state-timeline']);

/** One panel: its frame with title, description and menu, its data, its drawing. */
export class PanelView {
  readonly element: HTMLElement;
  private readonly body = h('div', { class: 'panel-body' });
  private readonly title: HTMLElement;
  private readonly tools = h('div', { class: 'panel-tools' });
  private readonly memory = new Map<string, unknown>();
  private asTable = false;
  private clean: () => void = () => {};
  private last: { frames: Frame[]; exemplars: Exemplar[]; annotations: Annotation[]; run: Run } | undefined;

  constructor(
    readonly panel: Panel,
    private readonly alone: boolean,
  ) {
    const id = uniqueId('panel');
    this.title = h('h2', { id, class: 'panel-title' });
    this.element = h('section', {
      class: `panel ${panel.transparent ? 'transparent' : ''}`, 'aria-labelledby': id,
      dataset: { panelId: String(panel.id), title: panel.title ?? '', type: panel.type, state: 'loading' },
    }, h('header', { class: 'panel-header' }, this.title, this.tools), this.body);
  }

  private set state(s: PanelState) {
    this.element.dataset.state = s;
    this.element.setAttribute('aria-busy', String(s === 'loading'));
  }

  /** Asks and draws. The old picture stays until the new data is there, unless fresh is set. */
  async run(run: Run, fresh: boolean): Promise<void> {
    this.chrome(run);
    if (fresh) this.state = 'loading';
    this.element.classList.add('busy');
    try {
      const data = await this.load(run);
      if (run.signal.aborted) return;
      this.last = { ...data, run };
      this.draw();
    } catch (e) {
      if (!run.signal.aborted) this.fail(e as Error);
    } finally {
      if (!run.signal.aborted) this.element.classList.remove('busy');
    }
  }

  private async load(run: Run): Promise<{ frames: Frame[]; exemplars: Exemplar[]; annotations: Annotation[] }> {
    const { panel } = this;
    if (panel.type === 'text') return { frames: [], exemplars: [], annotations: [] };
    const width = Math.max(200, this.body.clientWidth);
    const r = resolution(run.range, panel.maxDataPoints ?? width, panel.interval, run.scrape);
    const times = timeVariables(run.range, r);
    const fill = (s: string): string => interpolate(s, run.links.vars, 'promql', (name) => times[name]);
    const timed = WITH_TIME_AXIS.has(panel.type);
    const [frames, exemplars, annotations] = await Promise.all([
      queryPanel(panel, run.prom, r, run.range.to, fill, run.signal),
      panel.type === 'timeseries' ? queryExemplars(panel, run.prom, r, fill, run.signal) : [],
      timed ? run.annotations : [],
    ]);
    return { frames: applyFieldConfig(transform(frames, panel.transformations), panel.fieldConfig), exemplars, annotations };
  }

  /** Draws the last data again: another theme, or the table in place of the chart. */
  draw(theme?: ThemeName): void {
    if (!this.last) return;
    const { frames, exemplars, annotations, run } = this.last;
    if (theme) run.theme = theme;
    this.clean();
    this.clean = () => {};
    this.body.replaceChildren();
    const { panel } = this;
    this.element.dataset.series = String(frames.length);
    this.element.dataset.annotations = String(annotations.length);
    this.element.dataset.exemplars = String(exemplars.length);
    if (panel.type !== 'text' && !hasData(frames)) {
      this.body.append(h('p', { class: 'nothing', role: 'status' }, panel.fieldConfig?.defaults?.noValue || 'No data'));
      this.state = 'nodata';
      return;
    }
    const c: PanelContext = {
      panel, frames, exemplars, annotations, theme: run.theme, range: run.range, links: run.links, settings: run.settings,
      syncKey: run.syncKey, memory: this.memory, zoom: run.zoom, title: this.title.textContent ?? '',
    };
    try {
      if (this.asTable) this.drawAsTable(c);
      else this.clean = RENDERERS[panel.type]!(this.body, c);
      this.state = 'data';
    } catch (e) {
      this.fail(e as Error);
    }
  }

  /** The numbers behind a picture. */
  private drawAsTable(c: PanelContext): void {
    const timed = c.frames.every((f) => timeField(f) && f.fields.length === 2);
    const joined = timed && c.frames.length > 1 ? joinByField(c.frames, undefined, false) : c.frames;
    const frame = joined[0];
    if (!frame) return;
    const rows = { ...c, panel: { ...c.panel, options: { sortBy: [{ displayName: 'Time', desc: true }] } }, memory: new Map<string, unknown>() };
    drawTable(this.body, frame, rows);
  }

  private fail(e: Error): void {
    this.clean();
    this.clean = () => {};
    this.element.dataset.error = e.message;
    this.body.replaceChildren(h('p', { class: 'failure', role: 'alert' }, e.message));
    this.state = 'error';
  }

  destroy(): void {
    this.clean();
  }

  /** Title, description, links and menu; they may hold variables. */
  private chrome(run: Run): void {
    const text = (s: string, purpose: Purpose = 'text'): string => interpolate(s, run.links.vars, purpose);
    const { panel } = this;
    this.title.textContent = text(panel.title ?? '');
    this.title.title = this.title.textContent;
    const links = resolveLinks(panel.links, run.links).map((l) => linkElement(l, run.settings, 'panel-link'));
    const info = panel.description && iconButton('info', `About ${this.title.textContent}`, (e) =>
      showPopover(e.currentTarget as HTMLElement, h('div', { class: 'markdown description' }, markdown(text(panel.description!))), { label: `About ${this.title.textContent}` }));
    const menu = panel.type !== 'text' && iconButton('menu', `Menu of ${this.title.textContent}`, (e) => this.menu(e.currentTarget as HTMLElement, run), { 'aria-haspopup': 'menu' });
    this.tools.replaceChildren(...[...links, info, menu].filter((x): x is HTMLElement => Boolean(x)));
  }

  private menu(anchor: HTMLElement, run: Run): void {
    const item = (label: string, act: () => void): HTMLElement =>
      h('li', { role: 'none' }, h('button', {
        type: 'button', role: 'menuitem', class: 'menu-item',
        onclick: () => {
          closePopover(true);
          act();
        },
      }, label));
    const items = [item(this.alone ? 'Back to all panels' : 'View alone', () => run.view(this.alone ? undefined : this.panel.id))];
    if (this.panel.type !== 'table') {
      items.push(item(this.asTable ? 'Show as a picture' : 'Show as a table', () => {
        this.asTable = !this.asTable;
        this.draw();
      }));
    }
    const list = h('ul', { class: 'menu', role: 'menu', 'aria-label': anchor.getAttribute('aria-label') ?? '' }, ...items);
    menuKeys(list, 'button');
    showPopover(anchor, list, { label: 'Panel menu', role: 'presentation' });
  }
}
