/** The page of a job, which it follows until the job ends. */

import { useEffect, useState } from 'preact/hooks';
import type { Job } from '../../../../clients/typescript/src/index.ts';
import { useCommands } from '../../palette-commands.ts';
import { useAction } from '../../request/use-action.ts';
import { type Loaded, useLoad } from '../../request/use-load.ts';
import { returnHref } from '../../router.ts';
import type { PageParams } from '../../router-path.ts';
import { can, platform } from '../../session/session.ts';
import { announce, Badge, Facts, Head, Loading, Progress, useTitle } from '../../shared/basics.tsx';
import { Id } from '../../shared/copy.tsx';
import { Credential } from '../../shared/credential.tsx';
import { Confirm } from '../../shared/dialog.tsx';
import { Problem } from '../../shared/problem.tsx';
import { LongText } from '../../shared/text.tsx';
import { Countdown, duration, Time } from '../../shared/time.tsx';
import { ExportFiles, Failures, Result } from './result.tsx';
import { counts, declarationOf, isOpen, secondsOf, shareOf, stateOf, titleOf } from './texts.ts';

export default function JobPage({ params }: { params: PageParams }) {
  const { project = '', job: id = '' } = params;
  const request = useLiveJob(project, id);
  const job = request.data;
  useTitle(job ? titleOf(job.type) : 'Job');
  return (
    <>
      <p>
        <a href={returnHref(`/projects/${project}/jobs`)}>Jobs</a>
      </p>
      <Problem error={request.error} onRepeat={request.reload} />
      {job && <JobDetails project={project} job={job} onChanged={request.set} />}
      {!job && request.error === undefined && <Loading />}
    </>
  );
}

type DetailsProps = { project: string; job: Job; onChanged: (job: Job) => void };

function JobDetails({ project, job, onChanged }: DetailsProps) {
  const [isCancelling, setIsCancelling] = useState(false);
  const type = declarationOf(job);
  const mayCancel = type?.cancellable === true && isOpen(job) && can(type.write);
  const seconds = secondsOf(job, Date.now());
  useCommands(mayCancel ? [{ label: 'Cancel this job', run: () => setIsCancelling(true) }] : []);
  return (
    <>
      <Head title={titleOf(job.type)}>
        <Badge {...stateOf(job)} />
        {mayCancel && (
          <button type="button" class="danger" onClick={() => setIsCancelling(true)}>
            Cancel the job
          </button>
        )}
      </Head>
      {isOpen(job) && (
        <Progress
          value={shareOf(job)}
          label={job.status === 'queued' ? 'Waiting for its turn' : counts(job)}
        />
      )}
      {isOpen(job) && type?.cancellable === false && (
        <p class="quiet">A job that removes data cannot be cancelled.</p>
      )}
      {job.error && (
        <div class="problem">
          <strong>The job has failed: {job.error.code.replaceAll('_', ' ')}</strong>
          <p>
            <LongText value={job.error.message} />
          </p>
        </div>
      )}
      <Facts
        facts={[
          ['Id', <Id value={job.id} />],
          [
            'Requested',
            <>
              <Time at={job.createdAt} /> by <Credential id={job.createdBy} />
            </>,
          ],
          ['Started', <Time at={job.startedAt} none="not yet" />],
          isOpen(job)
            ? ['Fails unless it ends in', <Countdown until={job.deadlineAt} />]
            : ['Ended', <Time at={job.finishedAt} />],
          ['Took', seconds === undefined || isOpen(job) ? '—' : duration(seconds)],
          ['Work', counts(job)],
        ]}
      />
      <Result project={project} job={job} />
      {job.type.endsWith('.export') && job.status !== 'queued' && <ExportFiles project={project} job={job} />}
      <Failures project={project} job={job} />
      {isCancelling && mayCancel && (
        <CancelJob project={project} job={job} onChanged={onChanged} onClose={() => setIsCancelling(false)} />
      )}
    </>
  );
}

function CancelJob({ project, job, onChanged, onClose }: DetailsProps & { onClose: () => void }) {
  const cancel = useAction((id: string, options) => platform().projects(project).jobs.cancel(id, options));
  const finish = (result: Job | undefined) => {
    if (!result) return;
    onChanged(result);
    onClose();
  };
  return (
    <Confirm
      title="Cancel this job?"
      action="Cancel the job"
      dismiss="Keep it running"
      isPending={cancel.isPending}
      error={cancel.error}
      onConfirm={async () => finish(await cancel.run(job.id))}
      onRepeat={async () => finish(await cancel.repeat())}
      onClose={onClose}
    >
      <p>The work of the job so far is not published. You can request it again.</p>
    </Confirm>
  );
}

/** The service answers at once when the job ends. Until then the progress is this old at most. */
const waitSeconds = 3;

/** Follows a job until it ends. The address of the page has the id of the job, so a reload follows it again. */
export function useLiveJob(project: string, id: string): Loaded<Job> {
  const request = useLoad(
    (signal) => platform().projects(project).jobs.get(id, {}, { signal }),
    [project, id],
  );
  const job = request.data;
  const isFollowed = job !== undefined && isOpen(job) && request.error === undefined;
  // Each answer starts the next request. An error ends the requests until the user repeats
  useEffect(() => {
    if (!isFollowed) return;
    const controller = new AbortController();
    const { signal } = controller;
    const follow = async () => {
      for (let isRunning = true; isRunning && !signal.aborted; ) {
        const latestJob = await platform().projects(project).jobs.get(id, { waitSeconds }, { signal });
        if (signal.aborted) return;
        request.set(latestJob);
        isRunning = isOpen(latestJob);
        if (!isRunning) announce(`${titleOf(latestJob.type)}: ${latestJob.status}, ${counts(latestJob)}`);
      }
    };
    follow().catch(() => signal.aborted || request.reload());
    return () => controller.abort();
  }, [isFollowed, project, id]);
  return request;
}
