/** Documents that the search does not find. Failed documents are first, then pending documents. */

import { useLoad } from '../../request/use-load.ts';
import { href } from '../../router.ts';
import { platform } from '../../session/session.ts';
import { Badge } from '../../shared/basics.tsx';
import { Name } from '../../shared/text.tsx';
import { Calm, Card, firstRows } from './card.tsx';

const maxRows = 5;

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
                <a href={to('failed')}>{countText(failed)} failed</a>
                <a href={to('pending')}>{countText(pending)} pending</a>
              </p>
            )}
          </>
        );
      }}
    </Card>
  );
}

const countText = ({ items, isWhole }: { items: readonly unknown[]; isWhole: boolean }): string =>
  `${items.length}${isWhole ? '' : '+'}`;
