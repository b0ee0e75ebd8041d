/** What can be done about a source, and the progress of its refresh. */

import { useState } from 'preact/hooks';
import type { Job, KnowledgeSource } from '../../../../../clients/typescript/src/index.ts';
import { useCommands } from '../../../palette.tsx';
import { Badge, Head } from '../../../parts/basics.tsx';
import { JobProgress } from '../../../parts/job-progress.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { Name } from '../../../parts/text.tsx';
import { useAction } from '../../../request/use-action.ts';
import { useJob } from '../../../request/use-job.ts';
import { mayChange } from '../../../session/project-state.ts';
import { platform } from '../../../session/session.ts';
import { useRepeat } from '../extraction.ts';
import { ConfirmRemoval, EditSource } from './dialogs.tsx';
import { RemoveSource } from './remove.tsx';
import { counted, isRefreshing, stateOf } from './texts.ts';

/** The pause before a source is requested again whose job has ended. */
const endingMs = 1500;

type Props = {
  project: string;
  source: KnowledgeSource;
  onChanged: (source: KnowledgeSource) => void;
  /** A refresh has ended. */
  onRefreshed: () => void;
};

export function SourceActions({ project, source, onChanged, onRefreshed }: Props) {
  const { sources } = platform().projects(project).knowledge;
  const [opened, setOpened] = useState<'edit' | 'delete' | 'confirm' | undefined>(undefined);
  const [started, setStarted] = useState<string | undefined>(undefined);
  const running = isRefreshing(source) ? (source.jobId ?? undefined) : started;
  const followed = useJob(project, running, onRefreshed);
  const isRunning = followed.job ? followed.job.finishedAt === null : isRefreshing(source);
  // After a cancelled refresh, the source says so a moment later than the job.
  useRepeat(followed.job !== undefined && !isRunning && isRefreshing(source), source, onRefreshed, endingMs);
  const refresh = useAction((_: null, options) => sources.refresh(source.id, {}, options));
  const pause = useAction((paused: boolean) => sources.update(source.id, { paused }));
  const start = (job: Job | undefined) => job && setStarted(job.id);
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
          { label: 'Edit this source', run: () => setOpened('edit') },
          { label: 'Delete this source', run: () => setOpened('delete') },
        ]
      : [],
  );
  const close = () => setOpened(undefined);
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
            <button type="button" onClick={() => setOpened('edit')}>
              Edit
            </button>
            <button type="button" class="danger" onClick={() => setOpened('delete')}>
              Delete
            </button>
          </>
        )}
      </Head>
      <Problem error={refresh.error} onRepeat={async () => start(await refresh.repeat())} />
      <Problem error={pause.error} onRepeat={async () => change(await pause.repeat())} />
      <Problem error={followed.error} onRepeat={followed.repeat} />
      {followed.job && isRunning && (
        <section class="card panel" aria-label="Refresh">
          <JobProgress projectId={project} job={followed.job} verb="Refreshing" noun="pages" />
        </section>
      )}
      {unconfirmed > 0 && !isRunning && (
        <div class="notice panel">
          <p>
            <strong>
              {counted(unconfirmed, 'document')} {unconfirmed === 1 ? 'was' : 'were'} not removed,
            </strong>{' '}
            although the pages are gone, or show or redirect to another page. That is more than half of the
            documents, so somebody has to confirm it.
          </p>
          {mayWrite && !source.paused && (
            <button type="button" onClick={() => setOpened('confirm')}>
              Remove {counted(unconfirmed, 'document')} …
            </button>
          )}
        </div>
      )}
      {opened === 'edit' && (
        <EditSource
          project={project}
          source={source}
          onClose={close}
          onSaved={(saved) => {
            onChanged(saved);
            close();
          }}
        />
      )}
      {opened === 'confirm' && (
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
      {opened === 'delete' && <RemoveSource project={project} source={source} onClose={close} />}
    </>
  );
}
