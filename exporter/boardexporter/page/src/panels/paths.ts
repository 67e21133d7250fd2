import uPlot from 'uplot';
import type { CustomConfig } from '../model';

/** Path of bars from a base (the series below, when stacked) up to the value. */
export function barPaths(base: (number | null)[] | undefined, c: CustomConfig, stepMs: number): uPlot.Series.PathBuilder {
  return (u, series, from, to) => {
    const x = u.data[0];
    const y = u.data[series]!;
    const scale = u.series[series]!.scale!;
    const perMs = u.bbox.width / (u.scales.x!.max! - u.scales.x!.min!);
    const slot = Math.max(1, stepMs * perMs);
    const factor = c.barWidthFactor ?? 0.6;
    const ratio = window.devicePixelRatio || 1;
    const width = Math.max(1, Math.min(slot * factor, 200 * ratio));
    const shift = (c.barAlignment ?? 0) * (width / 2) - width / 2;
    const zero = u.valToPos(Math.max(0, u.scales[scale]!.min ?? 0), scale, true);
    const path = new Path2D();
    for (let i = from; i <= to; i++) {
      const v = y[i];
      if (v === null || v === undefined) continue;
      const bottom = base ? u.valToPos(base[i] ?? 0, scale, true) : zero;
      const top = u.valToPos(v, scale, true);
      if (bottom === top) continue;
      path.rect(u.valToPos(x[i]!, 'x', true) + shift, Math.min(top, bottom), width, Math.abs(bottom - top));
    }
    return { stroke: path, fill: path, flags: 1 | 2 };
  };
}

export function linePaths(c: CustomConfig): uPlot.Series.PathBuilder | undefined {
  switch (c.lineInterpolation) {
    case 'smooth':
      return uPlot.paths.spline!();
    case 'stepBefore':
      return uPlot.paths.stepped!({ align: -1 });
    case 'stepAfter':
      return uPlot.paths.stepped!({ align: 1 });
    default:
      return uPlot.paths.linear!();
  }
}

/**
 * Running sums of the series, the first at the bottom. A gap stays a gap and adds nothing
 * to those above it.
 */
export function stack(values: (number | null)[][], percent: boolean): (number | null)[][] {
  const n = values[0]?.length ?? 0;
  const totals = Array.from({ length: n }, (_, i) => values.reduce((a, v) => a + Math.abs(v[i] ?? 0), 0));
  const sum = new Array<number>(n).fill(0);
  return values.map((v) =>
    v.map((x, i) => {
      if (x === null) return null;
      sum[i]! += percent ? (totals[i] ? x / totals[i]! : 0) : x;
      return sum[i]!;
    }),
  );
}
