import type { Dashboard } from './model';
import { queryAnnotations, type Annotation } from './data/annotations';
import { PromClient } from './data/prom';
import { Library } from './dashboards';
import { buildLayout, type Layout } from './layout';
import { formatRoute, parseRoute, type Route } from './router';
import { parseDuration, resolveRange, type RawRange, type TimeRange } from './time/range';
import { h } from './ui/dom';
import { annotationButton, dashboardLinks, settingsButton, tabs, themeButton } from './ui/header';
import type { PanelView, Run } from './ui/panelview';
import { closePopover, popoverIsOpen } from './ui/popover';
import { showRunbook } from './ui/runbook';
import { loadSettings } from './ui/settings';
import { currentTheme, setTheme, watchTheme } from './ui/theme';
import { timeControls } from './ui/timepicker';
import { variablePicker } from './ui/variablepicker';
import { interpolate, type Variable } from './vars/variables';
import { loadVariables } from './vars/load';

/** How often a board samples unless its server says otherwise. */
const SAMPLE_INTERVAL = '15s';
const FALLBACK_RANGE: RawRange = { from: 'now-1h', to: 'now' };

/** The whole page: from its address to panels. The address is the only state that survives a reload. */
export class App {
  private readonly prom = new PromClient('api/v1');
  private readonly header = h('header', { class: 'top' });
  private readonly bar = h('div', { class: 'subbar', role: 'group', 'aria-label': 'Variables' });
  private readonly main = h('main', { id: 'main', tabindex: '-1' });
  private readonly status = h('p', { class: 'sr-only', role: 'status' });
  private abort = new AbortController();
  private timer: number | undefined;
  private route: Route = parseRoute('');
  private dashboard: Dashboard | undefined;
  private layout: Layout | undefined;
  private vars: Variable[] = [];
  private showAnnotations = true;
  private lastRun: Run | undefined;
  private barState = '';

  constructor(private readonly library: Library) {}

  start(root: HTMLElement): void {
    root.replaceChildren(h('a', { class: 'skip', href: '#main' }, 'Skip to the panels'), this.header, this.bar, this.main, this.status);
    watchTheme(() => this.redraw());
    window.addEventListener('popstate', () => void this.open());
    document.addEventListener('click', (e) => this.follow(e));
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden && this.timer !== undefined) this.schedule();
    });
    void this.open();
  }

  /** Links to dashboards of this page don't load it again. */
  private follow(e: MouseEvent): void {
    const a = (e.target as Element).closest('a');
    const href = a?.getAttribute('href');
    if (!href?.startsWith('?') || a!.target === '_blank' || e.ctrlKey || e.metaKey || e.shiftKey || e.button !== 0) return;
    e.preventDefault();
    const { runbook } = parseRoute(href);
    if (runbook) {
      closePopover();
      void showRunbook(runbook);
      return;
    }
    history.pushState(null, '', href);
    window.scrollTo(0, 0);
    void this.open();
  }

  private go(change: Partial<Route>): void {
    history.pushState(null, '', formatRoute({ ...this.route, runbook: undefined, ...change }));
    void this.open();
  }

  /** Shows what the address says. */
  private async open(): Promise<void> {
    closePopover();
    this.route = parseRoute(location.search);
    const uid = this.route.dashboard ?? this.library.entries[0]?.uid;
    this.route.dashboard = uid;
    document.body.dataset.ready = 'false';
    try {
      if (!uid) throw new Error('this board has no dashboards');
      const before = this.dashboard;
      this.dashboard = await this.library.dashboard(uid);
      document.title = `${this.dashboard.title} · harnesserr`;
      if (before !== this.dashboard) this.vars = [];
      this.layout?.views.forEach((v) => v.destroy());
      this.layout = buildLayout(this.dashboard, this.route.viewPanel, (views) => this.runViews(views, true));
      this.main.replaceChildren(this.layout.element);
      this.barState = '';
      if (this.route.runbook) void showRunbook(this.route.runbook);
      await this.run(true);
    } catch (e) {
      this.main.replaceChildren(h('p', { class: 'failure', role: 'alert' }, (e as Error).message));
      document.body.dataset.ready = 'error';
    }
  }

  private rawRange(): RawRange {
    return this.route.range ?? this.dashboard?.time ?? FALLBACK_RANGE;
  }

  /** One pass: variables, annotations, panels. */
  private async run(fresh: boolean): Promise<void> {
    this.abort.abort();
    this.abort = new AbortController();
    const { signal } = this.abort;
    window.clearTimeout(this.timer);
    const dashboard = this.dashboard!;
    const raw = this.rawRange();
    const range = resolveRange(raw, Date.now());
    this.drawHeader(range);
    try {
      const models = dashboard.templating?.list ?? [];
      const { vars, errors } = await loadVariables(models, (n) => this.wanted(n), this.prom, range, signal);
      this.vars = vars;
      const fill = (s: string): string => interpolate(s, vars, 'promql');
      const annotations = queryAnnotations(dashboard.annotations?.list ?? [], this.prom, range, fill, signal).catch((e: Error) => {
        errors.push(e);
        return [] as Annotation[];
      });
      this.lastRun = {
        prom: this.prom, range, links: { vars, raw, range }, theme: currentTheme(), settings: loadSettings(), signal,
        syncKey: dashboard.graphTooltip ? dashboard.uid : undefined,
        scrape: parseDuration(this.library.sampleInterval ?? SAMPLE_INTERVAL),
        annotations: this.showAnnotations ? annotations : Promise.resolve([]),
        zoom: (r) => this.go({ range: { from: String(Math.round(r.from)), to: String(Math.round(r.to)) } }),
        view: (id) => this.go({ viewPanel: id }),
      };
      this.layout!.titles((s) => interpolate(s, vars, 'text'));
      this.drawBar([], errors);
      void annotations.then((list) => !signal.aborted && this.drawBar(list, errors));
      await this.runViews(this.layout!.views, fresh);
      if (signal.aborted) return;
      document.body.dataset.ready = 'true';
      this.status.textContent = fresh ? `${dashboard.title} is up to date` : '';
    } catch (e) {
      if (signal.aborted) return;
      throw e;
    }
    this.schedule();
  }

  /** What was chosen: the address first, then what this page chose before. */
  private wanted(name: string): string[] | undefined {
    return this.route.vars.get(name) ?? this.vars.find((v) => v.model.name === name)?.value;
  }

  private async runViews(views: PanelView[], fresh: boolean): Promise<void> {
    const run = this.lastRun;
    if (run) await Promise.all(views.map((v) => v.run(run, fresh)));
  }

  private refreshEvery(): string {
    return this.route.refresh ?? this.dashboard?.refresh ?? '';
  }

  private schedule(): void {
    window.clearTimeout(this.timer);
    const every = this.refreshEvery();
    if (!every) return;
    this.timer = window.setTimeout(() => {
      // Nobody looks, or somebody reads something that would vanish: try again next time.
      if (document.hidden || popoverIsOpen()) this.schedule();
      else this.refresh();
    }, parseDuration(every));
  }

  private refresh(): void {
    void this.run(false).catch((e: Error) => (this.status.textContent = e.message));
  }

  private redraw(): void {
    if (!this.lastRun) return;
    this.drawHeader(this.lastRun.range);
    this.layout?.views.forEach((v) => v.draw(currentTheme()));
  }

  private drawHeader(range: TimeRange): void {
    const { route } = this;
    const address = (uid: string): string => formatRoute({ ...route, dashboard: uid, viewPanel: undefined, runbook: undefined });
    this.header.replaceChildren(
      h('h1', {}, h('span', { class: 'brand' }, 'harnesserr'), h('span', { class: 'sr-only' }, ` ${this.dashboard?.title ?? ''}`)),
      tabs(this.library.entries, route.dashboard!, address),
      timeControls({
        raw: this.rawRange(), range, refresh: this.refreshEvery(),
        setRange: (r) => this.go({ range: r }),
        setRefresh: (r) => this.go({ refresh: r }),
        refreshNow: () => this.refresh(),
      }),
      h('div', { class: 'btn-group' },
        themeButton(() => {
          setTheme(currentTheme() === 'dark' ? 'light' : 'dark');
          this.redraw();
        }),
        settingsButton(loadSettings(), () => void this.open())));
  }

  private drawBar(annotations: Annotation[], errors: Error[]): void {
    // Rebuilding would close a list the reader has open, so only real changes are drawn.
    const state = JSON.stringify([this.vars.map((v) => [v.model.name, v.options, v.value]), annotations, errors.map(String), this.showAnnotations]);
    if (state === this.barState || !this.lastRun) return;
    this.barState = state;
    const pickers = this.vars.map((v) => variablePicker(v, (value) => this.go({ vars: new Map(this.route.vars).set(v.model.name, value) })));
    const hasAnnotations = (this.dashboard?.annotations?.list ?? []).some((a) => a.enable && !a.builtIn && !a.hide);
    this.bar.replaceChildren(
      ...pickers.filter((p): p is HTMLElement => p !== null),
      h('div', { class: 'grow' }),
      ...(hasAnnotations ? [annotationButton(annotations, this.showAnnotations, () => {
        this.showAnnotations = !this.showAnnotations;
        this.refresh();
      })] : []),
      ...dashboardLinks(this.dashboard!, this.lastRun.links, this.lastRun.settings),
      ...errors.map((e) => h('p', { class: 'error-text', role: 'alert' }, e.message)));
  }
}
