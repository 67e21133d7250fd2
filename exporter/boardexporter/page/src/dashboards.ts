import type { Dashboard } from './model';

/** An entry of the list of dashboards. */
export interface Entry {
  uid: string;
  title: string;
  /** Name of its file without or with the extension. */
  name?: string;
  file?: string;
}

/** The dashboards that the server ships. */
export class Library {
  private constructor(
    readonly entries: Entry[],
    /** How often samples arrive, in milliseconds, when the server says so. */
    readonly sampleInterval: string | undefined,
  ) {}

  private readonly cache = new Map<string, Promise<Dashboard>>();

  static async load(): Promise<Library> {
    const res = await fetch('dashboards/index.json');
    if (!res.ok) throw new Error(`the list of dashboards can't be read: ${res.status} ${res.statusText}`);
    return new Library((await res.json()) as Entry[], res.headers.get('Board-Sample-Interval') ?? undefined);
  }

  dashboard(uid: string): Promise<Dashboard> {
    const e = this.entries.find((x) => x.uid === uid);
    if (!e) return Promise.reject(new Error(`there is no dashboard "${uid}"`));
    const name = (e.file ?? e.name ?? e.uid).replace(/\.json$/, '');
    let d = this.cache.get(uid);
    if (!d) {
      d = fetch(`dashboards/${name}.json`).then((r) => {
        if (!r.ok) throw new Error(`dashboard ${uid} can't be read: ${r.status} ${r.statusText}`);
        return r.json() as Promise<Dashboard>;
      });
      this.cache.set(uid, d);
    }
    return d;
  }
}
