/** What was used on each day, as plots with a table behind them: by the organisation, or by a project. */

import type { ProjectDailyUsage, UsageDay } from '../../../../clients/typescript/src/index.ts';
import { useLoad } from '../../request/use-load.ts';
import { query, setQuery } from '../../router.ts';
import { numberText } from '../../shared/amounts.ts';
import { Loading } from '../../shared/basics.tsx';
import { lastDays } from '../../shared/days.ts';
import { Plot, ValuePlot } from '../../shared/plot.tsx';
import { Problem } from '../../shared/problem.tsx';
import { usd } from '../../shared/score.tsx';
import { Time } from '../../shared/time.tsx';

const ranges = [7, 30, 90, 365] as const;
const defaultRange = 30;

export type Measure = {
  name: Exclude<keyof UsageDay, 'day'>;
  label: string;
  show: (amount: number) => string;
};

export const measures: readonly Measure[] = [
  { name: 'conversations', label: 'Conversations', show: numberText },
  { name: 'messages', label: 'Messages', show: numberText },
  { name: 'documents', label: 'Documents', show: numberText },
  { name: 'bytes', label: 'Bytes', show: numberText },
  { name: 'exportedRecords', label: 'Exported records', show: numberText },
  { name: 'modelCostUsd', label: 'Cost of models', show: usd },
];

/** @returns the days of the range in the address, the oldest first */
export function daysInAddress(): string[] {
  const range = ranges.find((days) => String(days) === query.value.get('days')) ?? defaultRange;
  return lastDays(range, Date.now());
}

type Props = {
  /** Requests the days from this time on. */
  load: (from: string, signal: AbortSignal) => PromiseLike<ProjectDailyUsage>;
  /** The usage is loaded again when one of them changes. */
  keys?: readonly unknown[];
};

export function UsagePerDay({ load, keys = [] }: Props) {
  const days = daysInAddress();
  const request = useLoad((signal) => load(`${days[0]}T00:00:00Z`, signal), [days.join(), ...keys]);
  return (
    <section>
      <div class="row usage-head">
        <h2>Used per day</h2>
        <fieldset class="usage-range">
          <legend class="sr-only">Range</legend>
          {ranges.map((option) => (
            <button
              key={option}
              type="button"
              class="small"
              aria-pressed={option === days.length}
              onClick={() => setQuery({ days: option === defaultRange ? undefined : option })}
            >
              {option === 365 ? '1 year' : `${option} days`}
            </button>
          ))}
        </fieldset>
      </div>
      <Problem error={request.error} onRepeat={request.reload} />
      {request.data ? <Days usage={request.data} days={days} /> : request.error === undefined && <Loading />}
    </section>
  );
}

function Days({ usage, days }: { usage: ProjectDailyUsage; days: readonly string[] }) {
  // Days on which nothing was used are not in the response.
  const itemsByDay = new Map(usage.items.map((item) => [item.day, item]));
  const valuesOf = (name: Measure['name']) => days.map((day) => itemsByDay.get(day)?.[name] ?? 0);
  const costs = valuesOf('modelCostUsd');
  return (
    <>
      <div class="usage-plots">
        {measures.map(({ name, label }) =>
          name === 'modelCostUsd' ? (
            <ValuePlot
              key={name}
              label={`${label} per day`}
              days={days}
              values={costs}
              total={usage.totals[name]}
              totalName={`in ${days.length} days`}
              scale={scaleOf(costs)}
              show={usd}
            />
          ) : (
            <Plot key={name} label={label} days={days} values={valuesOf(name)} group="usage" />
          ),
        )}
      </div>
      <details>
        <summary>
          Numbers{' '}
          <span class="quiet">
            (days in UTC; deletions do not lower them; counted up to <Time at={usage.countedThrough} />)
          </span>
        </summary>
        {/* On a narrow screen the table scrolls, also with the keyboard. */}
        <section class="wide-table" aria-label="Used per day, as numbers" tabIndex={0}>
          <DayTable usage={usage} />
        </section>
      </details>
    </>
  );
}

/** @returns a scale from 0 to the highest value */
export const scaleOf = (values: readonly number[]): [number, number] => [0, Math.max(...values) || 1];

function DayTable({ usage: { items, totals } }: { usage: ProjectDailyUsage }) {
  if (items.length === 0) return <p class="quiet">Nothing was used on these days.</p>;
  return (
    <table class="numbers">
      <thead>
        <tr>
          <th scope="col">Day</th>
          {measures.map(({ name, label }) => (
            <th key={name} scope="col">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {items.toReversed().map((item) => (
          <tr key={item.day}>
            <th scope="row">{item.day}</th>
            {measures.map(({ name, show }) => (
              <td key={name}>{show(item[name])}</td>
            ))}
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">All</th>
          {measures.map(({ name, show }) => (
            <td key={name}>{show(totals[name])}</td>
          ))}
        </tr>
      </tfoot>
    </table>
  );
}
