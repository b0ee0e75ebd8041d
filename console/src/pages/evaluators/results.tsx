/** The scores of an evaluator by deployment and by day, as plots with their numbers. */

import type { ComponentChildren } from 'preact';
import type {
  ConversationStats,
  ConversationStatsItem,
  Deployment,
  Evaluator,
  ScoreOutput,
  ScoreStats,
} from '../../../../clients/typescript/src/index.ts';
import { dayMs } from '../../../../lib/base/time.ts';
import { useLoad } from '../../request/use-load.ts';
import { href, query, setQuery } from '../../router.ts';
import { can, platform } from '../../session/session.ts';
import { Empty, Loading } from '../../shared/basics.tsx';
import { lastDays } from '../../shared/days.ts';
import { labelOf } from '../../shared/deployment-name.tsx';
import { ValuePlot } from '../../shared/plot.tsx';
import { Problem } from '../../shared/problem.tsx';
import { keyText } from '../../shared/score.tsx';
import { Name } from '../../shared/text.tsx';
import { Time } from '../../shared/time.tsx';

const ranges = [7, 30, 90] as const;
const defaultRange = 30;

/** A plot with more deployments has no room for their names. The table has all deployments. */
const maxBars = 30;

export function Results({ project, evaluator }: { project: string; evaluator: Evaluator }) {
  const range = ranges.find((days) => String(days) === query.value.get('days')) ?? defaultRange;
  const days = lastDays(range, Date.now());
  const request = useLoad(
    async (signal) => {
      const { conversations } = platform().projects(project);
      const statsQuery = { score: evaluator.name, from: `${days[0]}T00:00:00Z` };
      const [byDay, byDeployment, deployments] = await Promise.all([
        conversations.stats({ ...statsQuery, groupBy: 'day' }, { signal }),
        conversations.stats({ ...statsQuery, groupBy: 'deployment' }, { signal }),
        loadDeployments(project, signal),
      ]);
      return { byDay, byDeployment, deployments };
    },
    [project, evaluator.name, days.join()],
  );
  return (
    <section aria-label="Results">
      <div class="row usage-head">
        <h2>Results</h2>
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
              {option} days
            </button>
          ))}
        </fieldset>
      </div>
      <Problem error={request.error} onRepeat={request.reload} />
      {request.data ? (
        <ScoreStatistics project={project} evaluator={evaluator} days={days} {...request.data} />
      ) : (
        request.error === undefined && <Loading />
      )}
    </section>
  );
}

/** Loads the newest deployments, for their names and their order. The page shows other deployments by their ids. */
async function loadDeployments(project: string, signal: AbortSignal): Promise<readonly Deployment[]> {
  if (!can('deploy:read')) return [];
  const page = await platform().projects(project).deployments.list({ limit: 100 }, { signal });
  return page.items;
}

type StatisticsProps = {
  project: string;
  evaluator: Evaluator;
  days: readonly string[];
  byDay: ConversationStats;
  byDeployment: ConversationStats;
  deployments: readonly Deployment[];
};

function ScoreStatistics({ project, evaluator, days, byDay, byDeployment, deployments }: StatisticsProps) {
  const { output } = evaluator;
  const totals = byDay.totals.score;
  if (!totals || totals.count + totals.unknown === 0)
    return (
      <Empty title={`No conversation of these ${days.length} days has a score`}>
        Conversations are scored when they end, or by a run. Scores are counted within seconds.
      </Empty>
    );
  const key = selectedKey(output, totals);
  const measure = measureOf(output, key);
  const items = inOrder(byDeployment.items, deployments);
  const bars = items.filter(({ score }) => measure.of(score) !== null).slice(-maxBars);
  const nameOf = (id: string | null) => nameOfDeployment(id, deployments);
  const itemsByDay = new Map(byDay.items.map((item) => [item.key, item]));
  return (
    <>
      {output.type === 'category' && (
        <div class="filters">
          <label>
            Share of
            <select value={key} onChange={({ currentTarget }) => setQuery({ value: currentTarget.value })}>
              {totals.shares.map(({ value }) => (
                <option key={value} value={value}>
                  {value}
                </option>
              ))}
            </select>
          </label>
        </div>
      )}
      <div class="usage-plots">
        <ValuePlot
          label={`${measure.label} by deployment`}
          names={bars.map(({ key: id }) => nameOf(id))}
          values={bars.map(({ score }) => measure.of(score))}
          total={measure.of(totals)}
          totalName={`in ${days.length} days`}
          scale={measure.scale}
          show={measure.show}
        />
        <ValuePlot
          label={`${measure.label} by day`}
          days={days}
          values={days.map((day) => measure.of(itemsByDay.get(day)?.score))}
          total={measure.of(totals)}
          totalName={`in ${days.length} days`}
          scale={measure.scale}
          show={measure.show}
        />
      </div>
      <p class="quiet">
        Conversations count on the day on which they started (UTC), by the score that counts. Counted up to{' '}
        <Time at={byDay.countedThrough} />.
      </p>
      <section class="wide-table" aria-label="By deployment, as numbers" tabIndex={0}>
        <Numbers
          heading="Deployment"
          items={items}
          totals={byDay.totals}
          output={output}
          name={(id) =>
            id === null ? (
              'without a deployment'
            ) : (
              <a
                href={href(`/projects/${project}/conversations`, {
                  deploymentId: id,
                  score: `${evaluator.name}:exists`,
                })}
              >
                <Name value={nameOf(id)} />
              </a>
            )
          }
        />
      </section>
      <details>
        <summary>Numbers by day</summary>
        <section class="wide-table" aria-label="By day, as numbers" tabIndex={0}>
          <Numbers
            heading="Day"
            items={byDay.items.toReversed()}
            totals={byDay.totals}
            output={output}
            name={(day) => (
              <a
                href={href(`/projects/${project}/conversations`, {
                  startedFrom: `${day}T00:00:00Z`,
                  startedBefore: new Date(Date.parse(`${day}`) + dayMs).toISOString(),
                  score: `${evaluator.name}:exists`,
                })}
              >
                {day}
              </a>
            )}
          />
        </section>
      </details>
    </>
  );
}

/** @returns the value whose share the plots show */
function selectedKey(output: ScoreOutput, { shares }: ScoreStats): string {
  const key = query.value.get('value');
  const share = shares.find(({ value }) => value === key) ?? shares[0];
  return output.type === 'boolean' ? 'true' : (share?.value ?? '');
}

type Measure = {
  label: string;
  of: (score: ScoreStats | undefined) => number | null;
  scale: readonly [number, number];
  show: (value: number) => string;
};

const percent = (share: number): string =>
  `${(share * 100).toLocaleString('en', { maximumFractionDigits: 1 })}\u00A0%`;
const decimal = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 2 });

/** @returns the mean of numbers, the share of a value, or the share of conversations with a value */
function measureOf(output: ScoreOutput, key: string): Measure {
  if (output.type === 'number')
    return {
      label: 'Mean',
      of: (score) => score?.mean ?? null,
      scale: [output.min, output.max],
      show: decimal,
    };
  if (output.type === 'boolean' || output.type === 'category')
    return {
      label: `Share of ${keyText(key, output)}`,
      of: (score) =>
        score && score.count > 0 ? (score.shares.find(({ value }) => value === key)?.share ?? 0) : null,
      scale: [0, 1],
      show: percent,
    };
  return {
    label: 'Share of known values',
    of: (score) =>
      score && score.count + score.unknown > 0 ? score.count / (score.count + score.unknown) : null,
    scale: [0, 1],
    show: percent,
  };
}

/** @returns the items with the oldest deployment first. Before them are items without a deployment, and of unknown deployments */
function inOrder(
  items: readonly ConversationStatsItem[],
  deployments: readonly Deployment[],
): readonly ConversationStatsItem[] {
  const place = (id: string | null) => {
    const at = deployments.findIndex((one) => one.id === id);
    return at === -1 ? deployments.length + (id === null ? 1 : 0) : at;
  };
  return items.toSorted((a, b) => place(b.key) - place(a.key));
}

function nameOfDeployment(id: string | null, deployments: readonly Deployment[]): string {
  if (id === null) return 'none';
  const deployment = deployments.find((one) => one.id === id);
  return deployment ? `${deployment.environment}: ${labelOf(deployment)}` : `…${id.slice(-6)}`;
}

type NumbersProps = {
  heading: string;
  items: readonly ConversationStatsItem[];
  totals: ConversationStats['totals'];
  output: ScoreOutput;
  name: (key: string | null) => ComponentChildren;
};

function Numbers({ heading, items, totals, output, name }: NumbersProps) {
  const keys = totals.score?.shares.map(({ value }) => value) ?? [];
  const isNumber = output.type === 'number';
  const hasShares = isNumber || output.type === 'boolean' || output.type === 'category';
  const cells = ({ conversations, score }: Pick<ConversationStatsItem, 'conversations' | 'score'>) => (
    <>
      <td>{conversations.toLocaleString('en')}</td>
      <td>{(score?.count ?? 0).toLocaleString('en')}</td>
      <td>{(score?.unknown ?? 0).toLocaleString('en')}</td>
      {isNumber && <td>{score?.mean == null ? '—' : decimal(score.mean)}</td>}
      {hasShares && keys.map((key) => <td key={key}>{shareOf(score, key)}</td>)}
    </>
  );
  return (
    <table class="numbers shares">
      <thead>
        <tr>
          <th scope="col">{heading}</th>
          <th scope="col">Conversations</th>
          <th scope="col">With a value</th>
          <th scope="col">Unknown</th>
          {isNumber && <th scope="col">Mean</th>}
          {hasShares &&
            keys.map((key) => (
              <th key={key} scope="col">
                <bdi>{keyText(key, output)}</bdi>
              </th>
            ))}
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <tr key={item.key ?? ''}>
            <th scope="row">{name(item.key)}</th>
            {cells(item)}
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">All</th>
          {cells(totals)}
        </tr>
      </tfoot>
    </table>
  );
}

const shareOf = (score: ScoreStats | undefined, key: string): string => {
  const entry = score && score.count > 0 ? score.shares.find(({ value }) => value === key) : undefined;
  return entry ? percent(entry.share) : '—';
};
