import type { PanelRenderer } from './context';
import { barGauge } from './bargauge';
import { stat } from './stat';
import { stateTimeline } from './statetimeline';
import { table } from './table';
import { text } from './text';
import { timeseries } from './timeseries';

/** The panels that can be drawn, by their type in the dashboard. */
export const RENDERERS: Record<string, PanelRenderer> = {
  timeseries,
  stat,
  bargauge: barGauge,
  table,
  'state-timeline': stateTimeline,
  text,
};
