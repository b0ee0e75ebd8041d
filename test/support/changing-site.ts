/** A site that changes between refreshes: pages change, move, disappear, repeat each other, lie, loop, and fail for a while. */

import { htmlPage, type Site } from './site.ts';

export type Change = 'change' | 'move' | 'remove' | 'restore' | 'copy' | 'fail' | 'lie' | 'loop' | 'inwards';
const changes: readonly Change[] = [
  'change',
  'move',
  'remove',
  'restore',
  'copy',
  'fail',
  'lie',
  'loop',
  'inwards',
];

const linksPerPage = 25;

/** What a page is: a text, or why it has none. */
type State = { text: string } | { is: Exclude<Change, 'change' | 'copy' | 'restore'>; text?: string };

const isMoved = (state: State | undefined) => state !== undefined && 'is' in state && state.is === 'move';
const isReadable = (state: State | undefined) =>
  state !== undefined && (!('is' in state) || state.is === 'move' || state.is === 'fail');

/** @param chance numbers from 0 to below 1 */
export function changingSite(site: Site, count: number, chance: () => number) {
  let generation = 0;
  const states = new Map<string, State>();
  const failures = { sent: 0 };
  const paths = Array.from({ length: count }, (_, at) => `/p${at}`);
  const textOf = (path: string) => `The page ${path} in generation ${generation}.`;
  const pick = () => paths[Math.floor(chance() * count)] ?? '/p0';

  function set(path: string, state: State): void {
    states.set(path, state);
    site.pages.delete(`${path}-moved`);
    if (!('is' in state)) return void site.pages.set(path, htmlPage('Page', state.text));
    const redirect = (location: string) => ({ status: 302, headers: { location } });
    switch (state.is) {
      case 'move':
        site.pages.set(path, redirect(`${path}-moved`));
        site.pages.set(`${path}-moved`, htmlPage('Page', state.text ?? ''));
        return;
      case 'remove':
        site.pages.delete(path);
        return;
      case 'fail': {
        // Once, and then it is there.
        let isOver = false;
        site.pages.set(path, () => {
          if (isOver) return htmlPage('Page', state.text ?? '');
          isOver = true;
          failures.sent += 1;
          return { status: 500 };
        });
        return;
      }
      case 'lie':
        site.pages.set(path, { body: '%PDF-1.7' });
        return;
      case 'loop':
        site.pages.set(path, redirect(`${path}-loop`));
        site.pages.set(`${path}-loop`, redirect(path));
        return;
      case 'inwards':
        site.pages.set(path, redirect('http://169.254.169.254/latest/meta-data/'));
    }
  }

  /** Everything that the addresses have shown. */
  const shown = new Map<string, Set<string>>();
  const old = new Set<string>();
  const note = () => {
    for (const [path, state] of states) {
      const texts = shown.get(path) ?? new Set();
      if (isReadable(state) && state.text) texts.add(state.text);
      shown.set(path, texts);
    }
  };

  const indexes = Math.ceil(count / linksPerPage);
  const links = Array.from({ length: indexes }, (_, at) => `/i${at}`);
  site.pages.set('/', htmlPage('Start', 'The start.', links));
  for (const [at, path] of links.entries())
    site.pages.set(
      path,
      htmlPage(path, `List ${at}.`, paths.slice(at * linksPerPage, (at + 1) * linksPerPage)),
    );
  for (const path of paths) set(path, { text: textOf(path) });

  note();

  return {
    failures,
    /** Changes some pages. */
    change(times: number): void {
      generation += 1;
      old.clear();
      for (const [path, state] of states) {
        for (const text of shown.get(path) ?? []) if (!isReadable(state) || isMoved(state)) old.add(text);
      }
      for (let done = 0; done < times; done += 1) {
        const path = pick();
        const kind = changes[Math.floor(chance() * changes.length)] ?? 'change';
        const { text = textOf(path) } = states.get(pick()) ?? {};
        if (isMoved(states.get(path))) for (const one of shown.get(path) ?? []) old.add(one);
        if (kind === 'copy') set(path, { text });
        else if (kind === 'change' || kind === 'restore') set(path, { text: textOf(path) });
        else set(path, { is: kind, text: textOf(path) });
        if (!isReadable(states.get(path))) for (const one of shown.get(path) ?? []) old.add(one);
      }
      note();
    },
    /** All pages are readable, and have new texts. */
    calm(): void {
      generation += 1;
      old.clear();
      for (const path of paths) set(path, { text: textOf(path) });
    },
    /** @returns the texts that the documents must have, each once */
    texts: () =>
      new Set([...states.values()].flatMap((state) => (isReadable(state) && state.text ? [state.text] : []))),
    /** Texts that documents may still have: of pages that cannot be read now, or were at another address. */
    old,
  };
}
