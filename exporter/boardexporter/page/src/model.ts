/**
 * The part of Grafana's classic dashboard schema that the page reads. What a file may
 * hold beyond this is refused by `npm run check`, see check/schema.ts.
 */

export interface DataSourceRef {
  type?: string;
  uid?: string;
}

export interface Dashboard {
  uid: string;
  title: string;
  description?: string;
  tags?: string[];
  /** 0 nothing is shared, 1 the crosshair, 2 crosshair and tooltip. */
  graphTooltip?: number;
  time?: { from: string; to: string };
  timezone?: string;
  refresh?: string;
  panels?: Panel[];
  templating?: { list?: VariableModel[] };
  annotations?: { list?: AnnotationModel[] };
  links?: DashboardLink[];
}

export interface GridPos {
  x: number;
  y: number;
  w: number;
  h: number;
}

export interface Panel {
  id: number;
  type: string;
  title?: string;
  description?: string;
  gridPos: GridPos;
  transparent?: boolean;
  targets?: Target[];
  interval?: string;
  maxDataPoints?: number;
  transformations?: Transformation[];
  options?: Record<string, unknown>;
  fieldConfig?: FieldConfigSource;
  links?: DataLink[];
  collapsed?: boolean;
  panels?: Panel[];
}

export interface Target {
  refId: string;
  expr: string;
  format?: 'time_series' | 'table';
  instant?: boolean;
  range?: boolean;
  legendFormat?: string;
  exemplar?: boolean;
  hide?: boolean;
  interval?: string;
}

export interface Transformation {
  id: string;
  disabled?: boolean;
  options?: unknown;
}

export interface FieldConfigSource {
  defaults?: FieldConfig;
  overrides?: Override[];
}

export interface Override {
  matcher: { id: string; options?: unknown };
  properties?: { id: string; value?: unknown }[];
}

export interface FieldConfig {
  unit?: string;
  decimals?: number | null;
  min?: number | null;
  max?: number | null;
  displayName?: string;
  /** Set by the query from legendFormat; a displayName beats it. */
  displayNameFromSource?: string;
  noValue?: string;
  color?: FieldColor;
  thresholds?: Thresholds;
  mappings?: ValueMapping[];
  links?: DataLink[];
  custom?: CustomConfig;
}

export interface FieldColor {
  mode: string;
  fixedColor?: string;
}

export interface Thresholds {
  mode?: 'absolute' | 'percentage';
  steps?: { value: number | null; color: string }[];
}

export interface MappingResult {
  text?: string;
  color?: string;
  index?: number;
}

export type ValueMapping =
  | { type: 'value'; options: Record<string, MappingResult> }
  | { type: 'range'; options: { from: number | null; to: number | null; result: MappingResult } }
  | { type: 'regex'; options: { pattern: string; result: MappingResult } }
  | { type: 'special'; options: { match: string; result: MappingResult } };

export interface DataLink {
  title: string;
  url: string;
  targetBlank?: boolean;
}

/** The panel plugins' own field settings: timeseries, state-timeline and table share one record. */
export interface CustomConfig {
  drawStyle?: 'line' | 'bars' | 'points';
  lineInterpolation?: 'linear' | 'smooth' | 'stepBefore' | 'stepAfter';
  lineWidth?: number;
  lineStyle?: { fill?: 'solid' | 'dash' | 'dot'; dash?: number[] };
  fillOpacity?: number;
  gradientMode?: 'none' | 'opacity';
  showPoints?: 'auto' | 'always' | 'never';
  pointSize?: number;
  spanNulls?: boolean | number;
  stacking?: { mode?: 'none' | 'normal' | 'percent'; group?: string };
  thresholdsStyle?: { mode?: 'off' | 'line' | 'dashed' | 'area' | 'line+area' | 'dashed+area' };
  axisLabel?: string;
  axisPlacement?: 'auto' | 'left' | 'right' | 'hidden';
  axisSoftMin?: number;
  axisSoftMax?: number;
  barAlignment?: -1 | 0 | 1;
  barWidthFactor?: number;
  hideFrom?: { legend?: boolean; tooltip?: boolean; viz?: boolean };
  width?: number;
  minWidth?: number;
  align?: 'auto' | 'left' | 'center' | 'right';
  hidden?: boolean;
  cellOptions?: { type: 'auto' | 'color-text' | 'color-background'; mode?: string; applyToRow?: boolean };
}

export interface VariableOption {
  text: string | string[];
  value: string | string[];
  selected?: boolean;
}

export interface VariableModel {
  name: string;
  type: 'query' | 'custom' | 'datasource' | 'textbox' | 'constant' | 'interval';
  label?: string;
  description?: string;
  /** 0 shown, 1 without its label, 2 not shown. */
  hide?: number;
  query?: string | { query?: string; refId?: string; qryType?: number };
  regex?: string;
  /** 0 and 1 once per load, 2 also when the time range changes. */
  refresh?: number;
  /** 0 as it comes, 1/2 alphabetical, 3/4 numerical, 5/6 alphabetical without case; even numbers descend. */
  sort?: number;
  multi?: boolean;
  includeAll?: boolean;
  allValue?: string | null;
  allowCustomValue?: boolean;
  current?: VariableOption;
  options?: VariableOption[];
}

export interface AnnotationModel {
  name: string;
  enable?: boolean;
  hide?: boolean;
  iconColor?: string;
  builtIn?: number;
  expr?: string;
  step?: string;
  titleFormat?: string;
  textFormat?: string;
  tagKeys?: string;
  type?: string;
  target?: unknown;
  datasource?: DataSourceRef;
}

export interface DashboardLink {
  type: 'link' | 'dashboards';
  title?: string;
  tooltip?: string;
  url?: string;
  tags?: string[];
  asDropdown?: boolean;
  includeVars?: boolean;
  keepTime?: boolean;
  targetBlank?: boolean;
}

/** Every panel of a dashboard, rows left out and the panels of collapsed rows included. */
export function panelsOf(d: Dashboard): Panel[] {
  return (d.panels ?? []).flatMap((p) => (p.type === 'row' ? (p.panels ?? []) : [p]));
}
