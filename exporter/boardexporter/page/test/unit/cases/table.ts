import { readFileSync } from 'node:fs';

/** Rows of a tab-separated file beside this one; lines that begin with # are comments. */
export function table(name: string): string[][] {
  const text = readFileSync(new URL(`./${name}`, import.meta.url), 'utf8');
  return text.split('\n').filter((l) => l !== '' && !l.startsWith('#')).map((l) => l.split('\t'));
}
