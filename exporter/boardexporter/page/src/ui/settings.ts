/** Addresses of the reader's own trace tools. They are kept in the browser: the board knows none. */
export interface Settings {
  /** Address of a Grafana whose Explore opens trace searches, without the trailing slash. */
  grafana: string;
  /** Address of one trace with {trace_id} in it. */
  trace: string;
}

const KEY = 'harnesserr.settings';

export function loadSettings(): Settings {
  const empty: Settings = { grafana: '', trace: '' };
  try {
    const s = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Settings>;
    return { grafana: s.grafana ?? '', trace: s.trace ?? '' };
  } catch {
    return empty;
  }
}

export function saveSettings(s: Settings): void {
  localStorage.setItem(KEY, JSON.stringify({ grafana: s.grafana.trim().replace(/\/+$/, ''), trace: s.trace.trim() }));
}

export function traceAddress(s: Settings, id: string): string | undefined {
  return /^https?:\/\//i.test(s.trace) && s.trace.includes('{trace_id}') ? s.trace.replaceAll('{trace_id}', encodeURIComponent(id)) : undefined;
}
