/** The parts of the overview for what needs attention: failures, keys that expire soon, and documents that are not indexed. */

import type { Job, Webhook } from '../../../../clients/typescript/src/index.ts';
import { dayMs } from '../../../../lib/base/time.ts';
import { scopesOfJobs } from '../../../../lib/jobs/types.ts';
import { useLoad } from '../../request/use-load.ts';
import { href } from '../../router.ts';
import { can, platform } from '../../session/session.ts';
import { Badge } from '../../shared/basics.tsx';
import { Name } from '../../shared/text.tsx';
import { Time, TimeWithDate } from '../../shared/time.tsx';
import { hasImportedNothing, titleOf } from '../jobs/texts.ts';
import { lastFailure } from '../webhooks/texts.ts';
import { Calm, Card, firstRows, More } from './card.tsx';

const maxRows = 5;

/** @returns whether the credential may see jobs of any type */
export const canReadJobs = (): boolean => scopesOfJobs('read').some(can);

/** Loads the newest imports that have read their files, and have stored nothing. The API says that they have succeeded. */
async function loadEmptyImports(project: string, signal: AbortSignal): Promise<readonly Job[]> {
  if (!can('conversations:read')) return [];
  const type = 'conversations.import';
  const { items } = await platform()
    .projects(project)
    .jobs.list({ status: 'succeeded', type, limit: 100 }, { signal });
  return items.filter(hasImportedNothing);
}

const endOf = ({ finishedAt }: Job): string => finishedAt ?? '';

export function FailedJobs({ project }: { project: string }) {
  const request = useLoad(
    async (signal) => {
      const { jobs } = platform().projects(project);
      const [failedJobs, emptyImports] = await Promise.all([
        firstRows(jobs.list({ status: 'failed', limit: 100 }, { signal }).pages(), maxRows),
        loadEmptyImports(project, signal),
      ]);
      const items = [...failedJobs.items, ...emptyImports].toSorted((a, b) =>
        endOf(b).localeCompare(endOf(a)),
      );
      return { items: items.slice(0, maxRows), isWhole: failedJobs.isWhole && items.length <= maxRows };
    },
    [project],
  );
  const to = href(`/projects/${project}/jobs`, { status: 'failed' });
  return (
    <Card title="Failed jobs" to={to} request={request}>
      {(rows) => (
        <>
          {rows.items.length === 0 && rows.isWhole && <Calm>No job has failed in 30 days.</Calm>}
          <ul class="rows">
            {rows.items.map(({ id, type, error, progress, finishedAt }) => (
              <li key={id}>
                <a href={href(`/projects/${project}/jobs/${id}`)}>{titleOf(type)}</a> <Time at={finishedAt} />
                <p class="quiet clip">
                  <Name value={error?.message ?? `Nothing was imported: ${progress.failed} lines failed.`} />
                </p>
              </li>
            ))}
          </ul>
          <More rows={rows} to={to} />
        </>
      )}
    </Card>
  );
}

/** @returns why the newest attempt has failed; undefined without an answer, so that the card only lacks the reason */
async function reasonOf({ id }: Webhook, signal: AbortSignal): Promise<string | undefined> {
  try {
    const { items } = await platform().webhooks.deliveries.list(id, { limit: 20 }, { signal });
    return lastFailure(items);
  } catch {
    return undefined;
  }
}

/** Webhooks belong to the organisation. The card leaves out webhooks of other projects. */
export function FailingWebhooks({ project }: { project: string }) {
  const request = useLoad(
    async (signal) => {
      const pages = platform().webhooks.list({ failing: 'true', limit: 100 }, { signal }).pages();
      const { items: failingWebhooks, isWhole } = await firstRows(pages, 100);
      const projectWebhooks = failingWebhooks.filter(
        ({ projectIds }) => projectIds === null || projectIds.includes(project),
      );
      const items = await Promise.all(
        projectWebhooks.slice(0, maxRows).map(async (webhook) => ({
          ...webhook,
          reason: webhook.health.reason?.message ?? (await reasonOf(webhook, signal)),
        })),
      );
      return { items, isWhole: isWhole && projectWebhooks.length <= maxRows };
    },
    [project],
  );
  const to = href('/webhooks', { failing: 'true' });
  return (
    <Card title="Failing webhooks" to={to} request={request}>
      {(rows) => (
        <>
          {rows.items.length === 0 && rows.isWhole && (
            <Calm>Every webhook of this project reaches its receiver.</Calm>
          )}
          <ul class="rows">
            {rows.items.map(({ id, url, disabled, health, reason }) => (
              <li key={id}>
                <a href={href(`/webhooks/${id}`)} class="clip">
                  <Name value={url} />
                </a>
                <p class="quiet">
                  {disabled ? <Badge value="disabled" /> : <Badge value="failing" />}{' '}
                  {health.failures > 0 &&
                    `${health.failures.toLocaleString('en')} failed ${health.failures === 1 ? 'attempt' : 'attempts'}`}
                  {health.failingSince && (
                    <>
                      , since <Time at={health.failingSince} isExact />
                    </>
                  )}
                </p>
                {reason && <p>{reason}</p>}
              </li>
            ))}
          </ul>
          <More rows={rows} to={to} />
        </>
      )}
    </Card>
  );
}

/** The list of keys filters by the same time. */
const soonDays = 30;

/** The card leaves out keys of other projects. */
export function ExpiringKeys({ project }: { project: string }) {
  const request = useLoad(
    async (signal) => {
      const expiresBefore = new Date(Date.now() + soonDays * dayMs);
      const pages = platform()
        .apiKeys.list({ status: 'active', expiresBefore, limit: 100 }, { signal })
        .pages();
      const { items, isWhole } = await firstRows(pages, 100);
      const projectKeys = items.filter(
        ({ projectIds }) => projectIds === null || projectIds.includes(project),
      );
      const sortedKeys = projectKeys.toSorted((a, b) => (a.expiresAt ?? '').localeCompare(b.expiresAt ?? ''));
      return { items: sortedKeys.slice(0, maxRows), isWhole: isWhole && sortedKeys.length <= maxRows };
    },
    [project],
  );
  const to = href('/keys', { status: 'active', expires: `${soonDays}d` });
  return (
    <Card title="Keys that expire soon" to={to} request={request}>
      {(rows) => (
        <>
          {rows.items.length === 0 && rows.isWhole && <Calm>No key expires in {soonDays} days.</Calm>}
          <ul class="rows">
            {rows.items.map(({ id, name, expiresAt, lastUsedAt }) => (
              <li key={id}>
                <a href={href(`/keys/${id}`)}>
                  <Name value={name} />
                </a>{' '}
                expires <TimeWithDate at={expiresAt} />
                <p class="quiet">
                  Last used: <Time at={lastUsedAt} />
                </p>
              </li>
            ))}
          </ul>
          <More rows={rows} to={to} />
        </>
      )}
    </Card>
  );
}

/** Documents that the search does not find. Failed documents are first, then pending documents. */
export function NotIndexed({ project }: { project: string }) {
  const request = useLoad(
    async (signal) => {
      const { documents } = platform().projects(project).knowledge;
      const loadRows = (status: 'failed' | 'pending') =>
        firstRows(documents.list({ status, limit: 100 }, { signal }).pages(), 100);
      const [failed, pending] = await Promise.all([loadRows('failed'), loadRows('pending')]);
      return { failed, pending };
    },
    [project],
  );
  const to = (status?: string) => href(`/projects/${project}/knowledge`, { status });
  return (
    <Card title="Knowledge not indexed" to={to()} request={request}>
      {({ failed, pending }) => {
        const items = [...failed.items, ...pending.items];
        const isCalm = items.length === 0 && failed.isWhole && pending.isWhole;
        return (
          <>
            {isCalm && <Calm>The index has every document.</Calm>}
            <ul class="rows">
              {items.slice(0, maxRows).map(({ id, title, status, error }) => (
                <li key={id}>
                  <a href={href(`/projects/${project}/knowledge/${id}`)}>
                    <Name value={title} />
                  </a>{' '}
                  <Badge value={status} />
                  {error && (
                    <p class="quiet clip">
                      <Name value={error.message} />
                    </p>
                  )}
                </li>
              ))}
            </ul>
            {!isCalm && (
              <p class="row">
                <a href={to('failed')}>{lengthText(failed)} failed</a>
                <a href={to('pending')}>{lengthText(pending)} pending</a>
              </p>
            )}
          </>
        );
      }}
    </Card>
  );
}

const lengthText = ({ items, isWhole }: { items: readonly unknown[]; isWhole: boolean }): string =>
  `${items.length}${isWhole ? '' : '+'}`;
