/** The conversations of a project: the list with all filters, or the messages that a search finds. */

import { useMemo, useState } from 'preact/hooks';
import type { Conversation, MessageHit } from '../../../../clients/typescript/src/index.ts';
import { useCommands } from '../../palette-commands.ts';
import { forgetLists, type Pages, skipEmpty, usePages } from '../../request/use-pages.ts';
import { query, refresh, setQuery } from '../../router.ts';
import type { PageParams } from '../../router-path.ts';
import { can, platform } from '../../session/session.ts';
import { Empty, Head } from '../../shared/basics.tsx';
import { List } from '../../shared/list.tsx';
import { Time } from '../../shared/time.tsx';
import { useEvaluators } from '../evaluators/use-evaluators.ts';
import { EraseUser, ErasureProgress } from './erase-user.tsx';
import { ExportPanel, NewExport } from './export.tsx';
import { clearFilters, FilterForm } from './filter-form.tsx';
import { type Filters, filtersOf, listFiltersOf, searchFiltersOf } from './filters.ts';
import { useAvatars } from './names.tsx';
import { isRanking, type Ranking, rankedCount, rankedPage } from './ranking.ts';
import { ConversationRow, HitRow } from './rows.tsx';

const pageSize = 50;

type DialogName = 'export' | 'erase' | undefined;

export default function Conversations({ params: { project = '' } }: { params: PageParams }) {
  const filters = filtersOf(query.value);
  const avatars = useAvatars(project);
  const evaluators = useEvaluators(project);
  const [dialog, setDialog] = useState<DialogName>(undefined);
  // A new round gives the list a new key, which draws the list again.
  const [round, setRound] = useState(0);
  const mayErase = can('conversations:write');
  useCommands([
    { label: 'Export these conversations', run: () => setDialog('export') },
    ...(mayErase ? [{ label: 'Erase the conversations of a user', run: () => setDialog('erase') }] : []),
  ]);
  const close = () => setDialog(undefined);
  return (
    <>
      <Head title="Conversations">
        <button type="button" onClick={refresh}>
          Refresh
        </button>
        <button type="button" onClick={() => setDialog('export')}>
          Export
        </button>
        {mayErase && (
          <button type="button" class="danger" onClick={() => setDialog('erase')}>
            Erase a user
          </button>
        )}
      </Head>
      <FilterForm filters={filters} avatars={avatars} evaluators={evaluators} />
      <ExportPanel project={project} jobId={query.value.get('export') ?? undefined} />
      <ErasureProgress
        project={project}
        jobId={query.value.get('erasure') ?? undefined}
        onEnd={() => {
          forgetLists();
          setRound(round + 1);
        }}
      />
      {filters.q === undefined && isRanking(filters.order) && (
        <RankedList key={round} project={project} filters={filters} ranking={filters.order} />
      )}
      {filters.q === undefined && !isRanking(filters.order) && (
        <ConversationList key={round} project={project} filters={filters} />
      )}
      {filters.q !== undefined && (
        <SearchResults key={round} project={project} filters={filters} q={filters.q} />
      )}
      {dialog === 'export' && (
        <NewExport
          project={project}
          filters={filters}
          onClose={close}
          onStart={(job) => setQuery({ export: job })}
        />
      )}
      {dialog === 'erase' && (
        <EraseUser
          project={project}
          user={filters.externalUserId}
          onClose={close}
          onStart={(job) => setQuery({ erasure: job })}
        />
      )}
    </>
  );
}

function ConversationList({ project, filters }: { project: string; filters: Filters }) {
  const apiFilters = listFiltersOf(filters);
  const list = usePages<Conversation>(
    'page',
    (signal) =>
      skipEmpty(
        platform()
          .projects(project)
          .conversations.list({ ...apiFilters, limit: pageSize }, { signal }),
        signal,
      ),
    [JSON.stringify(apiFilters)],
  );
  return <Rows project={project} list={list} apiFilters={apiFilters} />;
}

type RowsProps = { project: string; list: Pages<Conversation>; apiFilters: ReturnType<typeof listFiltersOf> };

function Rows({ project, list, apiFilters }: RowsProps) {
  const isFiltered = Object.keys(apiFilters).some((name) => name !== 'order');
  return (
    <List
      label="Conversations"
      list={list}
      keyOf={({ id }) => id}
      row={(value) => <ConversationRow project={project} value={value} />}
      empty={isFiltered ? <NothingFits /> : <NoConversation />}
    />
  );
}

type RankedProps = { project: string; filters: Filters; ranking: Ranking };

/** The list in an order that the API does not have. The page reads the first conversations of the list, and says how many. */
function RankedList({ project, filters, ranking }: RankedProps) {
  const apiFilters = listFiltersOf(filters);
  const list = usePages<Conversation>(
    'page',
    async (signal) => {
      const { conversations } = platform().projects(project);
      return rankedPage(await conversations.list({ ...apiFilters, limit: 100 }, { signal }), ranking, signal);
    },
    [JSON.stringify(apiFilters), ranking],
  );
  return (
    <>
      <p class="quiet">
        {ranking === 'trouble' &&
          'Conversations without an answer or with a bad end are first, the longest of them before the others. '}
        {list.isLast === false &&
          `Each ${rankedCount} conversations, from the newest, are in an order of their own: choose a period for fewer.`}
      </p>
      <Rows project={project} list={list} apiFilters={apiFilters} />
    </>
  );
}

function SearchResults({ project, filters, q }: { project: string; filters: Filters; q: string }) {
  const apiFilters = searchFiltersOf(filters);
  const [indexedThrough, setIndexedThrough] = useState<string | null | undefined>(undefined);
  const list = usePages<MessageHit>(
    'page',
    async (signal) => {
      const conversations = platform().projects(project).conversations;
      const page = await skipEmpty(
        conversations.search({ ...apiFilters, q, limit: pageSize }, { signal }),
        signal,
      );
      if (!signal.aborted) setIndexedThrough(page.data.indexedThrough);
      return page;
    },
    [q, JSON.stringify(apiFilters)],
  );
  const count = useMemo(() => list.pages.reduce((sum, items) => sum + items.length, 0), [list.pages]);
  return (
    <>
      <p class="quiet" role="status">
        {!list.isLoading && (
          <>
            {count.toLocaleString('en')}
            {list.isLast === false && '+'} {count === 1 ? 'message' : 'messages'}.{' '}
          </>
        )}
        {indexedThrough && (
          <>
            A search finds a new message after a few seconds. The newest message that it finds was stored{' '}
            <Time at={indexedThrough} />.
          </>
        )}
      </p>
      <List
        label="Messages"
        list={list}
        keyOf={({ messageId }) => messageId}
        row={(hit) => <HitRow project={project} hit={hit} />}
        empty={<NothingFits />}
      />
    </>
  );
}

const NothingFits = () => (
  <div class="empty">
    <strong>Nothing fits the filters</strong>
    <p>The search finds whole words, and all of them in the same message.</p>
    <button type="button" onClick={clearFilters}>
      Clear all filters
    </button>
  </div>
);

const NoConversation = () => (
  <Empty
    title="There is no conversation yet"
    command="platform conversations create --avatar avtr_… --user customer-1"
  >
    Your runtime starts conversations and stores their messages. Conversations of another system can be
    imported: platform conversations import history.jsonl.
  </Empty>
);
