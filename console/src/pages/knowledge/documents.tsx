/** The documents of a project, with their states, and the progress of an upload, a re-index and an expunge. */

import { useEffect, useState } from 'preact/hooks';
import type {
  DocumentStatus,
  KnowledgeDocument,
  KnowledgeDocumentsListQuery,
} from '../../../../clients/typescript/src/index.ts';
import { useCommands } from '../../palette-commands.ts';
import { forgetLists, skipEmpty, usePages } from '../../request/use-pages.ts';
import { href, navigate, query } from '../../router.ts';
import type { PageParams } from '../../router-path.ts';
import { mayChange, platform } from '../../session/session.ts';
import { sizeOf } from '../../shared/amounts.ts';
import { Badge, Empty, Head } from '../../shared/basics.tsx';
import { JobPanel, useJob } from '../../shared/job-progress.tsx';
import { List } from '../../shared/list.tsx';
import { Filters, filterValue, SelectFilter, TextFilter, TimeFilter } from '../../shared/query-filters.tsx';
import { Name } from '../../shared/text.tsx';
import { Time } from '../../shared/time.tsx';
import { failureText, stateOf, useRepeat } from './extraction.ts';
import { noteLabels } from './note-labels.ts';
import { ReindexCard, useReindexing } from './reindex.tsx';
import { SearchFields } from './search-fields.tsx';
import { Tabs } from './tabs.tsx';
import { ConfirmUpload } from './upload/confirm.tsx';
import { DropZone, InterruptedNotice } from './upload/drop-zone.tsx';
import { UploadPanel } from './upload/panel.tsx';
import type { Selection } from './upload/selection.ts';
import { interruptedUpload, resumeUpload, startUpload, upload } from './upload/upload.ts';

const pageSize = 50;
/** The pause for each page of the list before the list is requested again. */
const readingMs = 3000;
const filterNames = [
  'status',
  'ignored',
  'extractionNote',
  'tag',
  'source',
  'externalId',
  'updatedFrom',
] as const;

export default function Documents({ params: { project = '' } }: { params: PageParams }) {
  const [selection, setSelection] = useState<Selection | undefined>(undefined);
  const current = upload.value?.project === project ? upload.value : undefined;
  const filters = filtersInAddress();
  const list = usePages<KnowledgeDocument>(
    'page',
    (signal) =>
      skipEmpty(
        platform()
          .projects(project)
          .knowledge.documents.list({ ...filters, limit: pageSize }, { signal }),
        signal,
      ),
    [JSON.stringify(filters)],
  );
  const reloadList = () => {
    forgetLists();
    list.reload();
  };
  const index = useReindexing(project, reloadList);
  const mayWrite = mayChange('knowledge:write');
  const isReading = list.pages.some((items) => items.some(({ extraction }) => extraction === 'pending'));
  const isAnswered = !list.isLoading && list.error === undefined;
  useRepeat(isReading && isAnswered, list.pages.at(-1), reloadList, readingMs * list.pages.length);
  const isRunning = current?.isRunning.value ?? false;
  // The upload has ended, so the list has new documents.
  useEffect(() => {
    if (current && !isRunning && current.done.peek() > 0) reloadList();
  }, [current, isRunning]);
  useCommands([
    { label: 'Search the knowledge', run: () => navigate(`/projects/${project}/knowledge/search`) },
    { label: 'Open the sources', run: () => navigate(`/projects/${project}/knowledge/sources`) },
    ...(mayWrite ? [{ label: 'Re-index the knowledge', run: () => void index.start() }] : []),
  ]);
  const reindexAfter = async (uploadEnd: Promise<{ error: { value: unknown } }>, isIndexed: boolean) => {
    const { error } = await uploadEnd;
    if (isIndexed && error.value === undefined) await index.start();
  };
  return (
    <>
      <Head title="Knowledge" />
      <Tabs project={project} />
      {mayWrite && <DropZone onChoose={setSelection} />}
      {mayWrite && !current && <InterruptedNotice project={project} />}
      {current && (
        <UploadPanel upload={current} onResume={() => void reindexAfter(resumeUpload(current), true)} />
      )}
      <ReindexCard project={project} index={index} />
      <SearchFields project={project} onChange={reloadList} />
      <ExpungeProgress project={project} jobId={query.value.get('expunge') ?? undefined} />
      <Filters names={filterNames}>
        <SelectFilter
          name="status"
          label="State"
          anyLabel="Any"
          options={[
            ['indexed', 'Indexed'],
            ['pending', 'Pending'],
            ['failed', 'Failed'],
          ]}
        />
        <SelectFilter
          name="ignored"
          label="Ignored"
          anyLabel="Any"
          options={[
            ['false', 'Not ignored'],
            ['true', 'Ignored'],
          ]}
        />
        <SelectFilter name="extractionNote" label="Read in part" anyLabel="Any" options={noteLabels} />
        <TextFilter name="source" label="Source" />
        <TextFilter name="tag" label="Tag" />
        <TextFilter name="externalId" label="Path (your id)" />
        <TimeFilter name="updatedFrom" label="Changed since" />
      </Filters>
      <List
        label="Documents"
        list={list}
        keyOf={({ id }) => id}
        row={(value) => <DocumentRow project={project} value={value} />}
        empty={
          Object.keys(filters).length > 0 ? (
            <Empty title="No document fits the filters" />
          ) : (
            <Empty
              title="There is no document yet"
              command="platform knowledge sync handbook --source handbook --reindex"
            >
              {mayWrite
                ? 'Drop files above, add a website as a source, or keep a folder and the project equal with the command line.'
                : 'The command line keeps a folder and the project equal.'}
            </Empty>
          )
        }
      />
      {selection && (
        <ConfirmUpload
          selection={selection}
          lastUpload={interruptedUpload(project)}
          onClose={() => setSelection(undefined)}
          onUpload={(target, isIndexed) => {
            setSelection(undefined);
            void reindexAfter(startUpload(project, target, selection.files), isIndexed);
          }}
        />
      )}
    </>
  );
}

/** @returns the filters. A value that the API does not know is sent, too: the API explains what is wrong with it */
function filtersInAddress() {
  const entries = filterNames.map((name) => [name, filterValue(name)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as {
    [Name in Exclude<(typeof filterNames)[number], 'ignored' | 'extractionNote'>]?: string;
  } & Pick<KnowledgeDocumentsListQuery, 'ignored' | 'extractionNote'> & { status?: DocumentStatus };
}

const failure = ({ error, extractionError }: KnowledgeDocument): string | undefined =>
  extractionError ? failureText(extractionError) : error?.message;

const DocumentRow = ({ project, value }: { project: string; value: KnowledgeDocument }) => (
  <div class="document-row">
    <span>
      <a href={href(`/projects/${project}/knowledge/${value.id}`)}>
        <Name value={value.title} />
      </a>
      {failure(value) && (
        <span class={value.ignored ? 'quiet' : 'bad'}>
          {' '}
          <Name value={failure(value)} />
        </span>
      )}
    </span>
    <span class="quiet">
      {value.url === undefined ? (
        <>
          {value.source !== null && (
            <>
              <Name value={value.source} />
              {' › '}
            </>
          )}
          <Name value={value.externalId} none="without an id of your own" />
        </>
      ) : (
        <Name value={value.url} />
      )}
    </span>
    <Badge {...stateOf(value)} />
    <span class="quiet size">{value.bytes === null ? '' : sizeOf(value.bytes)}</span>
    <Time at={value.updatedAt} />
  </div>
);

/** The removal of deleted documents from every index version: a job, whose id is in the address. */
export function ExpungeProgress({ project, jobId }: { project: string; jobId: string | undefined }) {
  const followed = useJob(project, jobId);
  const { job } = followed;
  if (!jobId) return null;
  const result = job?.result && 'expunged' in job.result ? job.result : undefined;
  return (
    <JobPanel
      project={project}
      followed={followed}
      title="Removal from the index"
      parameter="expunge"
      verb="Removing"
      noun="index versions"
      work="removal"
    >
      {result && (
        <p role="status">
          The text is gone from all index versions.{' '}
          {result.environments.length > 0 && (
            <>
              Changed environments: <Name value={result.environments.join(', ')} />.
            </>
          )}
        </p>
      )}
    </JobPanel>
  );
}
