/** The pages of a source, with their states after the last refresh, and their documents. */

import type { SourcePage } from '../../../../../clients/typescript/src/index.ts';
import { type Pages, skipEmpty, usePages } from '../../../request/use-pages.ts';
import { platform } from '../../../session/session.ts';
import { Badge, Empty } from '../../../shared/basics.tsx';
import { ResourceLink, WebLink } from '../../../shared/links.tsx';
import { List } from '../../../shared/list.tsx';
import { Filters, filterChoice, SelectFilter } from '../../../shared/query-filters.tsx';
import { Name } from '../../../shared/text.tsx';
import { Time } from '../../../shared/time.tsx';
import { toneOf } from './texts.ts';

const statuses = [
  'stored',
  'failed',
  'pending',
  'duplicate',
  'moved',
  'gone',
  'noindex',
  'excluded',
] as const;

export function usePagesOfSource(project: string, id: string): Pages<SourcePage> {
  const status = filterChoice('status', statuses);
  const { sources } = platform().projects(project).knowledge;
  return usePages<SourcePage>(
    'page',
    (signal) => skipEmpty(sources.listPages(id, { limit: 50, status }, { signal }), signal),
    [status],
  );
}

export function SourcePages({ project, list }: { project: string; list: Pages<SourcePage> }) {
  return (
    <section aria-label="Pages">
      <h2>Pages</h2>
      <Filters names={['status']}>
        <SelectFilter
          name="status"
          label="Status"
          anyLabel="Any"
          options={statuses.map((one) => [one, one] as const)}
        />
      </Filters>
      <List
        label="Pages"
        list={list}
        keyOf={({ id }) => id}
        row={(page) => <Row project={project} page={page} />}
        empty={
          <Empty
            title={
              filterChoice('status', statuses)
                ? 'No page has this status'
                : 'No page is known before the first refresh'
            }
          />
        }
      />
    </section>
  );
}

function Row({ project, page }: { project: string; page: SourcePage }) {
  const { url, status, documentId, movedTo, error, requestedAt } = page;
  return (
    <div class="row-grid source-page-row">
      <span class="main">
        <WebLink url={url} />
        {error && (
          <span class="bad">
            {' '}
            <Name value={error.message} />
          </span>
        )}
        {movedTo && (
          <span class="quiet">
            {' '}
            to <Name value={movedTo} />
          </span>
        )}
      </span>
      <span class="state">
        <Badge value={status} tone={toneOf(page)} />
      </span>
      <span class="document">
        {documentId && <ResourceLink id={documentId} project={project} name="document" />}
      </span>
      <span class="quiet when">
        <Time at={requestedAt} none="not requested yet" />
      </span>
    </div>
  );
}
