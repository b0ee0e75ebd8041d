/** The commands of a log, which is a list of entries by their time: list, get and tail. */

import type { Command } from 'commander';
import type { ListData, PagePromise } from '../../../clients/typescript/src/index.ts';
import { checkId, type Define } from '../command.ts';
import { type ListOptions, listOptions, printList } from '../lists.ts';
import type { Output } from '../output/output.ts';
import type { Columns } from '../output/table.ts';
import { safeLine } from '../output/text.ts';
import { type PeriodOptions, periodFrom, periodOptions } from '../period.ts';
import type { Session } from '../session.ts';
import { follow, type IntervalOption, intervalOption } from '../tail.ts';

type Page = { limit?: number; from?: string | undefined; to?: string | undefined };

type Log<
  Options,
  Filters,
  Entry extends { id: string },
  List extends ListData & { items: readonly Entry[] },
> = {
  filterOptions: readonly (readonly [flag: string, help: string])[];
  filtersFrom(options: Options): Filters;
  entries(session: Session): {
    list(query: Filters & Page): PagePromise<List>;
    get(id: string): PromiseLike<Entry>;
  };
  timeOf(entry: Entry): string;
  columns: Columns<Entry>;
  /** An entry of `tail`, after its time. */
  lineOf(entry: Entry): string;
  examples: Readonly<Record<'list' | 'get' | 'tail', readonly string[]>>;
};

export function addLog<
  Options extends object,
  Filters extends object,
  Entry extends { id: string },
  List extends ListData & { items: readonly Entry[] },
>(parent: Command, define: Define, log: Log<Options, Filters, Entry, List>): void {
  const { filterOptions, filtersFrom, entries, timeOf, columns, examples } = log;

  define<ListOptions & Options & PeriodOptions>(parent, {
    name: 'list',
    summary: 'Lists events, newest first',
    options: [...listOptions, ...filterOptions, ...periodOptions],
    examples: examples.list,
    async run(session, options) {
      const { limit, all } = options;
      const query = { ...filtersFrom(options), ...periodOf(session, options) };
      await printList<List>(
        session,
        { ...(limit !== undefined && { limit }), ...(all && { all }) },
        (page) => entries(session).list({ ...query, ...page }),
        columns,
      );
    },
  });

  define(parent, {
    name: 'get <id>',
    summary: 'Shows an event',
    examples: examples.get,
    run: async (session, _options, id) => session.out.item(await entries(session).get(checkId(id))),
  });

  define<Options & IntervalOption>(parent, {
    name: 'tail',
    summary: 'Prints events as they come, until you press Ctrl+C',
    details:
      'An event may appear late, in the place of its time. So the command reads the last two minutes again with ' +
      'each request, and prints the new events. After a lost connection, it continues at the same place.',
    options: [...filterOptions, intervalOption],
    examples: examples.tail,
    run: (session, options) =>
      follow<Entry>(session, {
        list: (query) => entries(session).list({ ...filtersFrom(options), limit: 100, ...query }),
        timeOf,
        take: (entry) => print(session.out, entry, log),
        intervalSeconds: options.interval,
      }),
  });
}

/** @returns the period as the filters of a log have it */
export function periodOf(
  { shell }: Session,
  options: PeriodOptions,
): { from?: string | undefined; to?: string | undefined } {
  const { startedFrom: from, startedBefore: to } = periodFrom(options, shell.nowMs());
  return { from, to };
}

async function print<Entry extends object>(
  out: Output,
  entry: Entry,
  { timeOf, lineOf }: { timeOf(entry: Entry): string; lineOf(entry: Entry): string },
): Promise<void> {
  if (out.json) return out.jsonLine(entry);
  await out.line(out.paint('dim', `${safeLine(timeOf(entry))}  `) + safeLine(lineOf(entry)));
}
