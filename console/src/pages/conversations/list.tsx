/** The conversations of a project: a list with all filters, or the messages that a search finds. */

import { useMemo, useState } from 'preact/hooks';
import type { Conversation, MessageHit } from '../../../../clients/typescript/src/index.ts';
import { useCommands } from '../../palette.tsx';
import { Empty, Head } from '../../parts/basics.tsx';
import { List } from '../../parts/list.tsx';
import { Time } from '../../parts/time.tsx';
import { skipEmpty } from '../../request/skip-empty.ts';
import { forgetLists, type Pages, usePages } from '../../request/use-pages.ts';
import { query, refresh, setQuery } from '../../router.ts';
import { can, platform } from '../../session/session.ts';
import { useEvaluators } from '../evaluators/known.ts';
import type { PageParams } from '../registry.ts';
import { EraseUser, ErasureProgress } from './erase-user.tsx';
import { ExportPanel, NewExport } from './export.tsx';
import { clearFilters, FilterForm } from './filter-form.tsx';
import { type Filters, filtersOf, listedOf, searchedOf } from './filters.ts';
import { useAvatars } from './names.tsx';
import { rankedCount, rankedPage } from './ranked-page.ts';
import { isRanking, type Ranking } from './ranking.ts';
import { ConversationRow, HitRow } from './rows.tsx';

const pageSize = 50;

type Opened = 'export' | 'erase' | undefined;

export default function Conversations({ params: { project = '' } }: { params: PageParams }) {
  const filters = filtersOf(query.value);
  const avatars = useAvatars(project);
  const evaluators = useEvaluators(project);
  const [opened, setOpened] = useState<Opened>(undefined);
  // Another key draws the list again.
  const [round, setRound] = useState(0);
  const mayErase = can('conversations:write');
  useCommands([
    { label: 'Export these conversations', run: () => setOpened('export') },
    ...(mayErase ? [{ label: 'Erase the conversations of a user', run: () => setOpened('erase') }] : []),
  ]);
  const close = () => setOpened(undefined);
  return (
    <>
      <Head title="Conversations">
        <button type="button" onClick={refresh}>
          Refresh
        </button>
        <button type="button" onClick={() => setOpened('export')}>
          Export
        </button>
        {mayErase && (
          <button type="button" class="danger" onClick={() => setOpened('erase')}>
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
        <Ranked key={round} project={project} filters={filters} ranking={filters.order} />
      )}
      {filters.q === undefined && !isRanking(filters.order) && (
        <Listed key={round} project={project} filters={filters} />
      )}
      {filters.q !== undefined && <Found key={round} project={project} filters={filters} q={filters.q} />}
      {opened === 'export' && (
        <NewExport
          project={project}
          filters={filters}
          onClose={close}
          onStart={(job) => setQuery({ export: job })}
        />
      )}
      {opened === 'erase' && (
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

function Listed({ project, filters }: { project: string; filters: Filters }) {
  const sent = listedOf(filters);
  const list = usePages<Conversation>(
    'page',
    (signal) =>
      skipEmpty(
        platform()
          .projects(project)
          .conversations.list({ ...sent, limit: pageSize }, { signal }),
        signal,
      ),
    [JSON.stringify(sent)],
  );
  return <Rows project={project} list={list} sent={sent} />;
}

type RowsProps = { project: string; list: Pages<Conversation>; sent: ReturnType<typeof listedOf> };

function Rows({ project, list, sent }: RowsProps) {
  const isFiltered = Object.keys(sent).some((name) => name !== 'order');
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

/** In an order that the API does not have: the page reads a part of the list, and says which. */
function Ranked({ project, filters, ranking }: RankedProps) {
  const sent = listedOf(filters);
  const list = usePages<Conversation>(
    'page',
    async (signal) => {
      const { conversations } = platform().projects(project);
      return rankedPage(await conversations.list({ ...sent, limit: 100 }, { signal }), ranking, signal);
    },
    [JSON.stringify(sent), ranking],
  );
  return (
    <>
      <p class="quiet">
        {ranking === 'trouble' &&
          'First those without an answer, or with a bad end, and of these the longest. '}
        {list.isLast === false &&
          `Each ${rankedCount} conversations, from the newest, are in an order of their own: choose a period for fewer.`}
      </p>
      <Rows project={project} list={list} sent={sent} />
    </>
  );
}

function Found({ project, filters, q }: { project: string; filters: Filters; q: string }) {
  const sent = searchedOf(filters);
  const [through, setThrough] = useState<string | null | undefined>(undefined);
  const list = usePages<MessageHit>(
    'page',
    async (signal) => {
      const conversations = platform().projects(project).conversations;
      const page = await skipEmpty(conversations.search({ ...sent, q, limit: pageSize }, { signal }), signal);
      if (!signal.aborted) setThrough(page.data.indexedThrough);
      return page;
    },
    [q, JSON.stringify(sent)],
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
        {through && (
          <>
            New messages are found after a few seconds. The latest one that is found was stored{' '}
            <Time at={through} />.
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
