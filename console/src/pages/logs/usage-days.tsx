/** The amounts that the organisation has stored on each day, as plots with a table behind them. */

import type { DailyUsage, UsageDay } from '../../../../clients/typescript/src/index.ts';
import { useLoad } from '../../request/use-load.ts';
import { query, setQuery } from '../../router.ts';
import { platform } from '../../session/session.ts';
import { Loading } from '../../shared/basics.tsx';
import { lastDays } from '../../shared/days.ts';
import { Plot } from '../../shared/plot.tsx';
import { Problem } from '../../shared/problem.tsx';
import { Time } from '../../shared/time.tsx';

const ranges = [7, 30, 90, 365] as const;
const defaultRange = 30;

const series = [
  ['conversations', 'Conversations'],
  ['messages', 'Messages'],
  ['documents', 'Documents'],
  ['bytes', 'Bytes'],
] as const satisfies readonly (readonly [keyof UsageDay, string])[];

/** @returns the range in the address */
const rangeInAddress = (): number =>
  ranges.find((days) => String(days) === query.value.get('days')) ?? defaultRange;

export function UsagePerDay() {
  const range = rangeInAddress();
  const days = lastDays(range, Date.now());
  const request = useLoad(
    (signal) => platform().usage.days({ from: `${days[0]}T00:00:00Z` }, { signal }),
    [days.join()],
  );
  return (
    <section>
      <div class="row usage-head">
        <h2>Stored per day</h2>
        <fieldset class="usage-range">
          <legend class="sr-only">Range</legend>
          {ranges.map((option) => (
            <button
              key={option}
              type="button"
              class="small"
              aria-pressed={option === range}
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

function Days({ usage, days }: { usage: DailyUsage; days: readonly string[] }) {
  // Days on which nothing was stored are not in the response.
  const itemsByDay = new Map(usage.items.map((item) => [item.day, item]));
  return (
    <>
      <div class="usage-plots">
        {series.map(([name, label]) => (
          <Plot
            key={name}
            label={label}
            days={days}
            values={days.map((day) => itemsByDay.get(day)?.[name] ?? 0)}
            group="usage"
          />
        ))}
      </div>
      <details>
        <summary>
          Numbers{' '}
          <span class="quiet">
            (days in UTC; deletions do not lower them; counted up to <Time at={usage.countedThrough} />)
          </span>
        </summary>
        {/* On a narrow screen the table scrolls, also with the keyboard. */}
        <section class="wide-table" aria-label="Stored per day, as numbers" tabIndex={0}>
          <DayTable usage={usage} />
        </section>
      </details>
    </>
  );
}

function DayTable({ usage: { items, totals } }: { usage: DailyUsage }) {
  if (items.length === 0) return <p class="quiet">Nothing was stored on these days.</p>;
  return (
    <table class="numbers">
      <thead>
        <tr>
          <th scope="col">Day</th>
          {series.map(([name, label]) => (
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
            {series.map(([name]) => (
              <td key={name}>{item[name].toLocaleString('en')}</td>
            ))}
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">All</th>
          {series.map(([name]) => (
            <td key={name}>{totals[name].toLocaleString('en')}</td>
          ))}
        </tr>
      </tfoot>
    </table>
  );
}
