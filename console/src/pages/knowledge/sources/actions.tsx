/** The actions on a source, and the progress of its refresh. */

import { useState } from 'preact/hooks';
import type { Job, KnowledgeSource } from '../../../../../clients/typescript/src/index.ts';
import { useCommands } from '../../../palette-commands.ts';
import { useAction } from '../../../request/use-action.ts';
import { mayChange, platform } from '../../../session/session.ts';
import { countText } from '../../../shared/amounts.ts';
import { Badge, Head } from '../../../shared/basics.tsx';
import { JobProgress, useJob } from '../../../shared/job-progress.tsx';
import { Problem } from '../../../shared/problem.tsx';
import { Name } from '../../../shared/text.tsx';
import { useRepeat } from '../extraction.ts';
import { ConfirmRemoval, EditSource } from './dialogs.tsx';
import { RemoveSource } from './remove.tsx';
import { isRefreshing, stateOf } from './texts.ts';

/** The pause before a source whose job has ended is requested again. */
const endingMs = 1500;

type Props = {
  project: string;
  source: KnowledgeSource;
  onChanged: (source: KnowledgeSource) => void;
  /** It is called when a refresh has ended. */
  onRefreshed: () => void;
};

export function SourceActions({ project, source, onChanged, onRefreshed }: Props) {
  const { sources } = platform().projects(project).knowledge;
  const [dialog, setDialog] = useState<'edit' | 'delete' | 'confirm' | undefined>(undefined);
  const [newJobId, setNewJobId] = useState<string | undefined>(undefined);
  const jobId = isRefreshing(source) ? (source.jobId ?? undefined) : newJobId;
  const jobState = useJob(project, jobId, onRefreshed);
  const isRunning = jobState.job ? jobState.job.finishedAt === null : isRefreshing(source);
  // After a cancelled refresh, the source says so a moment later than the job.
  useRepeat(jobState.job !== undefined && !isRunning && isRefreshing(source), source, onRefreshed, endingMs);
  const refresh = useAction((_: null, options) => sources.refresh(source.id, {}, options));
  const pause = useAction((paused: boolean) => sources.update(source.id, { paused }));
  const start = (job: Job | undefined) => job && setNewJobId(job.id);
  const change = (changed: KnowledgeSource | undefined) => changed && onChanged(changed);
  const mayWrite = mayChange('knowledge:write');
  const startNow = async () => start(await refresh.run(null));
  const setPaused = async (paused: boolean) => change(await pause.run(paused));
  useCommands(
    mayWrite
      ? [
          ...(source.paused ? [] : [{ label: 'Refresh this source', run: () => void startNow() }]),
          {
            label: source.paused ? 'Resume this source' : 'Pause this source',
            run: () => void setPaused(!source.paused),
          },
          { label: 'Edit this source', run: () => setDialog('edit') },
          { label: 'Delete this source', run: () => setDialog('delete') },
        ]
      : [],
  );
  const close = () => setDialog(undefined);
  const { unconfirmed = 0 } = source.lastRefresh ?? {};
  return (
    <>
      <Head title={<Name value={source.url} />}>
        <Badge {...(isRunning ? { value: 'refreshing', tone: 'busy' } : stateOf(source))} />
        {mayWrite && (
          <>
            {!source.paused && (
              <button
                type="button"
                class="primary"
                disabled={isRunning || refresh.isPending}
                onClick={startNow}
              >
                {isRunning ? 'Refreshing …' : 'Refresh now'}
              </button>
            )}
            <button type="button" disabled={pause.isPending} onClick={() => void setPaused(!source.paused)}>
              {source.paused ? 'Resume' : 'Pause'}
            </button>
            <button type="button" onClick={() => setDialog('edit')}>
              Edit
            </button>
            <button type="button" class="danger" onClick={() => setDialog('delete')}>
              Delete
            </button>
          </>
        )}
      </Head>
      <Problem error={refresh.error} onRepeat={async () => start(await refresh.repeat())} />
      <Problem error={pause.error} onRepeat={async () => change(await pause.repeat())} />
      <Problem error={jobState.error} onRepeat={jobState.repeat} />
      {jobState.job && isRunning && (
        <section class="card panel" aria-label="Refresh">
          <JobProgress projectId={project} job={jobState.job} verb="Refreshing" noun="pages" />
        </section>
      )}
      {unconfirmed > 0 && !isRunning && (
        <div class="notice panel">
          <p>
            <strong>
              {countText(unconfirmed, 'document')} {unconfirmed === 1 ? 'was' : 'were'} not removed,
            </strong>{' '}
            although the pages are gone, or show or redirect to another page. That is more than half of the
            documents, so somebody has to confirm it.
          </p>
          {mayWrite && !source.paused && (
            <button type="button" onClick={() => setDialog('confirm')}>
              Remove {countText(unconfirmed, 'document')} …
            </button>
          )}
        </div>
      )}
      {dialog === 'edit' && (
        <EditSource
          project={project}
          source={source}
          onClose={close}
          onSaved={(result) => {
            onChanged(result);
            close();
          }}
        />
      )}
      {dialog === 'confirm' && (
        <ConfirmRemoval
          project={project}
          source={source}
          onClose={close}
          onStarted={(job) => {
            start(job);
            close();
          }}
        />
      )}
      {dialog === 'delete' && <RemoveSource project={project} source={source} onClose={close} />}
    </>
  );
}
