/** Keys that expire soon, so that their users get new keys in time. */

import { dayMs } from '../../../../lib/base/time.ts';
import { useLoad } from '../../request/use-load.ts';
import { href } from '../../router.ts';
import { platform } from '../../session/session.ts';
import { Name } from '../../shared/text.tsx';
import { Time, TimeWithDate } from '../../shared/time.tsx';
import { Calm, Card, firstRows, More } from './card.tsx';

/** The list of keys filters by the same time. */
const soonDays = 30;
const maxRows = 5;

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
