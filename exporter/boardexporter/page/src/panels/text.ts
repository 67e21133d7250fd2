import { interpolate } from '../vars/variables';
import { h } from '../ui/dom';
import { markdown } from '../ui/markdown';
import { option, type PanelRenderer } from './context';

export const text: PanelRenderer = (box, c) => {
  box.append(h('div', { class: 'markdown' }, markdown(interpolate(option(c, 'content', ''), c.links.vars, 'text'))));
  return () => {};
};
