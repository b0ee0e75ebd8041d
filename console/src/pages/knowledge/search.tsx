/** A search in two indexes side by side: the published index, and the index of an environment or a deployment. */

import { useEffect, useRef } from 'preact/hooks';
import { query, setQuery } from '../../router.ts';
import type { PageParams } from '../../router-path.ts';
import { Empty, Head } from '../../shared/basics.tsx';
import { TextFilter } from '../../shared/query-filters.tsx';
import { ModeFilter, modeInAddress, useEnvironments } from './search-choices.tsx';
import { Side, useSearch } from './search-side.tsx';
import { Tabs } from './tabs.tsx';

const limits = ['5', '10', '20', '50'] as const;

export default function KnowledgeSearch({ params: { project = '' } }: { params: PageParams }) {
  const value = (name: string) => query.value.get(name) || undefined;
  const mode = modeInAddress();
  const searchQuery = {
    q: value('q'),
    tags: value('tag'),
    documentId: value('document'),
    metadata: value('metadata'),
    limit: value('limit'),
    mode,
  };
  const environments = useEnvironments(project);
  const left = value('left');
  // Without a choice, the page compares with the environment that serves people.
  const rightChoice = value('right');
  const right = rightChoice === 'published' ? undefined : (rightChoice ?? environments[0] ?? 'none');
  const leftRequest = useSearch(project, searchQuery, left);
  const rightRequest = useSearch(project, searchQuery, right, right !== 'none');
  const isCompared = right !== 'none';
  return (
    <>
      <Head title="Knowledge" />
      <Tabs project={project} />
      <SearchForm />
      {searchQuery.q === undefined ? (
        <Empty title="Search as your avatars do" command="platform knowledge search 'how are refunds paid'">
          Type a question. You see the pieces of documents that are found, with their scores and headings.
        </Empty>
      ) : (
        <div class="split">
          <Side
            project={project}
            mode={mode}
            name="left"
            index={left}
            environments={environments}
            request={leftRequest}
            otherHits={isCompared ? rightRequest.data?.items : undefined}
          />
          <Side
            project={project}
            mode={mode}
            name="right"
            index={right}
            environments={environments}
            request={rightRequest}
            otherHits={leftRequest.data?.items}
          />
        </div>
      )}
    </>
  );
}

function SearchForm() {
  const box = useRef<HTMLInputElement>(null);
  const q = query.value.get('q') ?? '';
  useEffect(() => {
    if (q === '') box.current?.focus();
  }, []);
  return (
    <search>
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault();
          setQuery({ q: box.current?.value.trim() });
        }}
      >
        <label class="grow">
          Question or words
          <span class="row nowrap">
            <input
              key={q}
              ref={box}
              type="search"
              maxLength={500}
              defaultValue={q}
              placeholder="how do I send something back"
            />
            <button type="submit" class="primary">
              Search
            </button>
          </span>
        </label>
        <TextFilter name="tag" label="Tags" placeholder="all of them, with commas" />
        <TextFilter name="document" label="Document" placeholder="kdoc_…" />
        <TextFilter name="metadata" label="Metadata" placeholder="country:DE" />
        <ModeFilter />
        <label>
          Pieces
          <select
            value={query.value.get('limit') ?? '10'}
            onChange={(event) => setQuery({ limit: event.currentTarget.value })}
          >
            {limits.map((limit) => (
              <option key={limit} value={limit}>
                {limit}
              </option>
            ))}
          </select>
        </label>
      </form>
    </search>
  );
}
