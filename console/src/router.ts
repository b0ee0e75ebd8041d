/** The address of a page is in the fragment, `#/projects/proj_…?status=failed`, so it works below any base path. */

import { batch, computed, signal } from '@preact/signals';

const read = () => window.location.hash.replace(/^#/, '') || '/';

/** The path and the query behind the `#`. */
export const address = signal(read());

/** The path: `/projects/proj_…`. */
export const path = computed(() => address.value.split('?')[0] ?? '/');

/** The query of the address. */
export const query = computed(() => new URLSearchParams(address.value.split('?')[1] ?? ''));

/**
 * The time at which the entry of the history was opened, in milliseconds. A link opens a new entry, and the back button returns to an
 * older one. A list that was requested before this time is requested again.
 */
const openedAt = (): number => {
  const state = window.history.state as { openedAt?: unknown } | null;
  if (typeof state?.openedAt === 'number') return state.openedAt;
  const now = Date.now();
  window.history.replaceState({ ...state, openedAt: now }, '');
  return now;
};

/** A list that was requested before this time is old. */
export const freshFrom = signal(openedAt());

/** Requests the lists of the page again. */
export const refresh = (): void => {
  freshFrom.value = Date.now();
};

/** The last address of each path, with its filters. */
const lastAddresses = new Map<string, string>();

/** The next session must not see the filters of this one. */
export const forgetAddresses = (): void => lastAddresses.clear();

/** @returns the link to a list, with the filters with which it was left */
export const returnHref = (to: string): string => `#${lastAddresses.get(to) ?? to}`;

window.addEventListener('hashchange', () =>
  batch(() => {
    lastAddresses.set(path.peek(), address.peek());
    freshFrom.value = openedAt();
    address.value = read();
  }),
);

export type Params = Readonly<Record<string, string | number | boolean | null | undefined>>;

/**
 * @param to a path with encoded segments
 * @param params the parameters of the query; empty values are left out
 */
export function href(to: string, params: Params = {}): string {
  const entries = Object.entries(params).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  const text = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString();
  return `#${to}${text && `?${text}`}`;
}

/** Opens a page, and moves the focus to it. The back button returns. */
export function navigate(to: string, params: Params = {}): void {
  window.location.hash = href(to, params);
  document.getElementById('main')?.focus();
}

/** Changes parameters of the query in place: the back button leaves the page. */
export function setQuery(changes: Params): void {
  const params: Params = { ...Object.fromEntries(query.value), ...changes };
  const next = href(path.value, params);
  if (next === `#${address.value}`) return;
  window.history.replaceState(window.history.state, '', next);
  address.value = read();
}
