/** The table of both clients' scenarios in docs/clients.md. */

import type { Titles } from './python-suite.ts';

/** What each scenario failed with, by title; null if it passed. */
export type Results = ReadonlyMap<string, string | null>;

type Run = {
  /** All titles, in their order. */
  all: readonly string[];
  typescript: Results;
  /** What TypeScript does not have, with the reason. */
  absent: Readonly<Record<string, string>>;
  python: { sync: Results; async: Results; titles: Titles };
};

/** @returns rows in the order of the scenarios, each with its results or with the reason why there are none */
export function tableOf({ all, typescript, absent, python }: Run): string {
  const { titles } = python;
  const rows = all.map((title) => {
    const inTypeScript = absent[title] ?? outcome(typescript.get(title));
    const onlyAsync = titles.absentInSync[title];
    const both = [python.async.get(title), onlyAsync === undefined ? python.sync.get(title) : null];
    const inPython = titles.absent[title] ?? both.map(outcome).toSorted()[0] ?? '';
    const note = onlyAsync === undefined ? '' : `, asynchronous client only: ${onlyAsync}`;
    return `| ${title.replaceAll('|', '\\|')} | ${inTypeScript} | ${inPython}${note} |`;
  });
  return ['| scenario | TypeScript | Python |', '|---|---|---|', ...rows].join('\n');
}

/** `failed` comes before `passed` in the alphabet. */
const outcome = (failure: string | null | undefined) => (failure === null ? 'passed' : 'failed');
