import type { FieldConfig, FieldConfigSource, Override } from '../model';
import { displayName, type Field, type Frame } from '../data/frame';
import { stringToRegex } from './mapping';

export const MATCHERS = ['byName', 'byRegexp', 'byType', 'byFrameRefID', 'byNames'];

function matches(o: Override, f: Field, frame: Frame): boolean {
  const arg = o.matcher.options;
  switch (o.matcher.id) {
    case 'byName':
      return displayName(f) === arg || f.name === arg;
    case 'byNames': {
      const { mode, names = [] } = (arg ?? {}) as { mode?: string; names?: string[] };
      return names.includes(displayName(f)) !== (mode === 'exclude');
    }
    case 'byRegexp':
      return stringToRegex(String(arg)).test(displayName(f));
    case 'byType':
      return f.type === arg;
    case 'byFrameRefID':
      return frame.refId === arg;
    default:
      throw new Error(`unknown override matcher "${o.matcher.id}"`);
  }
}

/** Sets "custom.a.b" or "unit" in a copy of the configuration. */
function withProperty(c: FieldConfig, id: string, value: unknown): FieldConfig {
  const path = id.split('.');
  const out: Record<string, unknown> = { ...c };
  let at = out;
  for (const step of path.slice(0, -1)) {
    const copy = { ...(at[step] as Record<string, unknown> | undefined) };
    at[step] = copy;
    at = copy;
  }
  at[path[path.length - 1]!] = value;
  return out as FieldConfig;
}

/** Every field with the panel's defaults and the overrides that match it. */
export function applyFieldConfig(frames: Frame[], source: FieldConfigSource | undefined): Frame[] {
  return frames.map((frame) => ({
    ...frame,
    fields: frame.fields.map((f): Field => {
      const { displayNameFromSource, displayName: named } = f.config;
      let config: FieldConfig = { ...source?.defaults, displayNameFromSource };
      if (named) config.displayName = named;
      // Matchers see the name the field had before overrides.
      for (const o of source?.overrides ?? []) {
        if (matches(o, f, frame)) for (const p of o.properties ?? []) config = withProperty(config, p.id, p.value);
      }
      return { ...f, config };
    }),
  }));
}
