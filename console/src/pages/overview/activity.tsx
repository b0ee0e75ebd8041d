/** Conversations and messages per day, as plots with a table behind them. */

import type { ConversationStats } from '../../../../clients/typescript/src/index.ts';
import { useLoad } from '../../request/use-load.ts';
import { href, query, setQuery } from '../../router.ts';
import { platform } from '../../session/session.ts';
import { Empty } from '../../shared/basics.tsx';
import { type Day, daysOf, lastDays } from '../../shared/days.ts';
import { Plot } from '../../shared/plot.tsx';
import { duration, Time } from '../../shared/time.tsx';
import { Card } from './card.tsx';

const ranges = [7, 30, 90] as const;

/** @returns the range in the address; 30 days by default */
const rangeInAddress = (): number => ranges.find((days) => String(days) === query.value.get('days')) ?? 30;

export function Activity({ project }: { project: string }) {
  const count = rangeInAddress();
  const names = lastDays(count, Date.now());
  const request = useLoad(
    (signal) =>
      platform()
        .projects(project)
        .conversations.stats({ groupBy: 'day', from: `${names[0]}T00:00:00Z` }, { signal }),
    [project, names.join()],
  );
  return (
    <div class="activity">
      <Card title="Activity" to={href(`/projects/${project}/conversations`)} request={request}>
        {(stats) => <Counts stats={stats} names={names} project={project} />}
      </Card>
    </div>
  );
}

function Counts({ stats, names, project }: { stats: ConversationStats; names: string[]; project: string }) {
  const days = daysOf(stats, names);
  const dayNames = days.map(({ day }) => day);
  return (
    <>
      <fieldset class="ranges">
        <legend class="sr-only">Range</legend>
        {ranges.map((range) => (
          <button
            key={range}
            type="button"
            class="small"
            aria-pressed={range === names.length}
            onClick={() => setQuery({ days: range === 30 ? undefined : range })}
          >
            {range} days
          </button>
        ))}
      </fieldset>
      {stats.totals.conversations === 0 ? (
        <Empty
          title={`No conversation in ${names.length} days`}
          command={`platform conversations create --project ${project} --avatar NAME --user customer-4711`}
        >
          Your application starts conversations. This command starts one by hand.
        </Empty>
      ) : (
        <>
          <div class="plots">
            <Plot
              label="Conversations"
              days={dayNames}
              values={days.map(({ conversations }) => conversations)}
              group="activity"
            />
            <Plot
              label="Messages"
              days={dayNames}
              values={days.map(({ messages }) => messages)}
              group="activity"
            />
          </div>
          <DayTable days={days} stats={stats} project={project} />
        </>
      )}
    </>
  );
}

function DayTable({ days, stats, project }: { days: Day[]; stats: ConversationStats; project: string }) {
  return (
    <details>
      <summary>
        Numbers{' '}
        <span class="quiet">
          (a conversation and its messages count on the day on which it started, UTC; counted up to{' '}
          <Time at={stats.countedThrough} />)
        </span>
      </summary>
      <table class="numbers">
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">Conversations</th>
            <th scope="col">Messages</th>
            <th scope="col">Mean duration</th>
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map(({ day, conversations, messages, meanDurationSeconds, nextDay }) => (
            <tr key={day}>
              <th scope="row">
                {conversations > 0 ? (
                  <a
                    href={href(`/projects/${project}/conversations`, {
                      startedFrom: `${day}T00:00:00Z`,
                      startedBefore: `${nextDay}T00:00:00Z`,
                    })}
                  >
                    {day}
                  </a>
                ) : (
                  day
                )}
              </th>
              <td>{conversations.toLocaleString('en')}</td>
              <td>{messages.toLocaleString('en')}</td>
              <td>{conversations > 0 ? duration(meanDurationSeconds) : '—'}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">All</th>
            <td>{stats.totals.conversations.toLocaleString('en')}</td>
            <td>{stats.totals.messages.toLocaleString('en')}</td>
            <td>{duration(stats.totals.meanDurationSeconds)}</td>
          </tr>
        </tfoot>
      </table>
    </details>
  );
}
