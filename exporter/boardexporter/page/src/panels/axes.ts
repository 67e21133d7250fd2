import type uPlot from 'uplot';
import { formatTicks } from '../field/units';
import type { ThemeName } from '../field/color';

export interface ChartTheme {
  text: string;
  grid: string;
  font: string;
}

export function chartTheme(theme: ThemeName): ChartTheme {
  const font = '12px Inter, "Helvetica Neue", Arial, sans-serif';
  return theme === 'dark'
    ? { text: 'rgb(204, 204, 220)', grid: 'rgba(240, 250, 255, 0.09)', font }
    : { text: 'rgb(36, 41, 46)', grid: 'rgba(0, 10, 23, 0.09)', font };
}

const two = (n: number): string => String(n).padStart(2, '0');

/** Labels of the time axis: as short as the distance between them allows. */
export function timeLabels(ticks: number[], increment: number, span: number): string[] {
  return ticks.map((ms) => {
    const d = new Date(ms);
    const day = `${two(d.getMonth() + 1)}/${two(d.getDate())}`;
    const clock = `${two(d.getHours())}:${two(d.getMinutes())}`;
    if (increment >= 86_400_000) return day;
    if (increment < 60_000) return `${clock}:${two(d.getSeconds())}`;
    return span > 86_400_000 ? `${day} ${clock}` : clock;
  });
}

export function timeAxis(t: ChartTheme): uPlot.Axis {
  return {
    stroke: t.text,
    font: t.font,
    size: 28,
    gap: 4,
    grid: { stroke: t.grid, width: 1 },
    ticks: { stroke: t.grid, width: 1, size: 4 },
    space: (u) => ((u.scales.x!.max! - u.scales.x!.min!) > 86_400_000 ? 100 : 60),
    values: (u, ticks, _axis, _space, increment) => timeLabels(ticks, increment, u.scales.x!.max! - u.scales.x!.min!),
  };
}

let measure: CanvasRenderingContext2D | null | undefined;

export function textWidth(s: string, font: string): number {
  measure ??= document.createElement('canvas').getContext('2d');
  if (!measure) return s.length * 7;
  measure.font = font;
  return measure.measureText(s).width;
}

const widest = (labels: string[] | null | undefined, font: string): number =>
  Math.ceil(Math.max(0, ...(labels ?? []).map((l) => textWidth(l, font))));

export interface ValueAxis {
  scale: string;
  unit: string | undefined;
  decimals: number | null | undefined;
  label: string | undefined;
  right: boolean;
  hidden: boolean;
}

export function valueAxis(t: ChartTheme, a: ValueAxis): uPlot.Axis {
  return {
    scale: a.scale,
    side: a.right ? 1 : 3,
    show: !a.hidden,
    stroke: t.text,
    font: t.font,
    gap: 6,
    label: a.label || undefined,
    labelFont: t.font,
    labelSize: a.label ? 20 : 0,
    size: (_u, labels) => widest(labels, t.font) + 14,
    space: 32,
    grid: { stroke: t.grid, width: 1, show: !a.right },
    ticks: { show: false },
    values: (_u, ticks) => formatTicks(ticks, a.unit, a.decimals),
  };
}

export function namesAxis(t: ChartTheme, names: string[]): uPlot.Axis {
  const short = names.map((n) => (n.length > 28 ? `${n.slice(0, 27)}…` : n));
  return {
    scale: 'y',
    side: 3,
    stroke: t.text,
    font: t.font,
    gap: 6,
    size: () => widest(short, t.font) + 14,
    grid: { show: false },
    ticks: { show: false },
    splits: () => short.map((_, i) => i + 0.5),
    values: () => short.slice().reverse(),
  };
}
