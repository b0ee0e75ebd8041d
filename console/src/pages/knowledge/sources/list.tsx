/** The sources of a project: websites whose pages are kept as documents. */

import { useState } from 'preact/hooks';
import type { KnowledgeSource } from '../../../../../clients/typescript/src/index.ts';
import { useCommands } from '../../../palette-commands.ts';
import { forgetLists, usePages } from '../../../request/use-pages.ts';
import { href, query } from '../../../router.ts';
import type { PageParams } from '../../../router-path.ts';
import { mayChange, platform } from '../../../session/session.ts';
import { Badge, Empty, Head } from '../../../shared/basics.tsx';
import { List } from '../../../shared/list.tsx';
import { Name } from '../../../shared/text.tsx';
import { Time } from '../../../shared/time.tsx';
import { useRepeat } from '../extraction.ts';
import { Tabs } from '../tabs.tsx';
import { CreateSource } from './dialogs.tsx';
import { RemovalProgress } from './remove.tsx';
import { changesOf, intervalOf, isDue, isRefreshing, stateOf, typeOf } from './texts.ts';

/** The pause before the list is requested again while a source in it is refreshed. */
const refreshingMs = 4000;

export default function Sources({ params: { project = '' } }: { params: PageParams }) {
  const [isCreating, setIsCreating] = useState(false);
  const list = usePages<KnowledgeSource>(
    'page',
    (signal) => platform().projects(project).knowledge.sources.list({ limit: 50 }, { signal }),
    [],
  );
  const reload = () => {
    forgetLists();
    list.reload();
  };
  const isBusy = list.pages.some((items) =>
    items.some((source) => isRefreshing(source) || isDue(source, Date.now())),
  );
  const isAnswered = !list.isLoading && list.error === undefined;
  useRepeat(isBusy && isAnswered, list.pages.at(-1), reload, refreshingMs);
  const mayWrite = mayChange('knowledge:write');
  useCommands(mayWrite ? [{ label: 'Create a source', run: () => setIsCreating(true) }] : []);
  return (
    <>
      <Head title="Knowledge">
        {mayWrite && (
          <button type="button" class="primary" onClick={() => setIsCreating(true)}>
            New source
          </button>
        )}
      </Head>
      <Tabs project={project} />
      <RemovalProgress project={project} jobId={query.value.get('removal') ?? undefined} onEnd={reload} />
      <List
        label="Sources"
        list={list}
        keyOf={({ id }) => id}
        row={(source) => <SourceRow project={project} source={source} />}
        empty={
          <Empty title="There is no source yet" command="platform knowledge add https://docs.example.com/">
            A source keeps the pages of a website as documents, and refreshes them by itself.
          </Empty>
        }
      />
      {isCreating && <CreateSource project={project} onClose={() => setIsCreating(false)} />}
    </>
  );
}

function SourceRow({ project, source }: { project: string; source: KnowledgeSource }) {
  const { lastRefresh, health, nextRefreshAt, paused } = source;
  return (
    <div class="row-grid source-row">
      <span class="main">
        <a href={href(`/projects/${project}/knowledge/sources/${source.id}`)}>
          <Name value={source.url} />
        </a>
        <span class="quiet"> {typeOf(source)}</span>
      </span>
      <span class="state">
        <Badge {...stateOf(source)} />
      </span>
      <span class="quiet counts">
        {health.reason ? <Name value={health.reason.message} /> : lastRefresh && changesOf(source)}
        {lastRefresh && (
          <>
            , <Time at={lastRefresh.finishedAt} />
          </>
        )}
      </span>
      <span class="quiet next">
        {paused ? null : nextRefreshAt === null ? (
          intervalOf(source.refresh)
        ) : (
          <>
            next <Time at={nextRefreshAt} />
          </>
        )}
      </span>
    </div>
  );
}
