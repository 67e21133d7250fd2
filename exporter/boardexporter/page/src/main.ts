import { App } from './app';
import { Library } from './dashboards';
import { h } from './ui/dom';

const root = document.getElementById('app')!;
Library.load().then(
  (library) => new App(library).start(root),
  (e: Error) => {
    root.replaceChildren(h('p', { class: 'failure', role: 'alert' }, e.message));
    document.body.dataset.ready = 'error';
  },
);
