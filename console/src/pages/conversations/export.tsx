/** An export of conversations: a job, whose id is in the address, and its files. */

import { useEffect } from 'preact/hooks';
import type { ExportPart, Job } from '../../../../clients/typescript/src/index.ts';
import { useAction } from '../../request/use-action.ts';
import { useLoad } from '../../request/use-load.ts';
import { platform } from '../../session/session.ts';
import { sizeOf } from '../../shared/amounts.ts';
import { Badge, Facts } from '../../shared/basics.tsx';
import { Dialog } from '../../shared/dialog.tsx';
import { JobPanel, useJob } from '../../shared/job-progress.tsx';
import { Problem } from '../../shared/problem.tsx';
import { Name } from '../../shared/text.tsx';
import { Time } from '../../shared/time.tsx';
import { exportFiltersOf, type Filters } from './filters.ts';
import { avatarName } from './names.tsx';

const filterNames: Readonly<Record<string, string>> = {
  status: 'Status',
  avatarId: 'Avatar',
  channel: 'Channel',
  tag: 'Tag',
  externalUserId: 'User',
  deploymentId: 'Deployment',
  test: 'Tests',
  startedFrom: 'Started from',
  startedBefore: 'Started before',
  scores: 'Scores',
};

type NewProps = {
  project: string;
  filters: Filters;
  onClose: () => void;
  onStart: (jobId: string) => void;
};

export function NewExport({ project, filters, onClose, onStart }: NewProps) {
  const exportFilters = exportFiltersOf(filters);
  const entries = Object.entries(exportFilters);
  const create = useAction((input: typeof exportFilters, options) =>
    platform().projects(project).exports.create({ what: 'conversations', filters: input }, options),
  );
  const earlierExports = useLoad(
    (signal) =>
      platform().projects(project).jobs.list({ type: 'conversations.export', limit: 5 }, { signal }),
    [project],
  );
  const finish = (job: Pick<Job, 'id'> | undefined) => {
    if (!job) return;
    onClose();
    onStart(job.id);
  };
  return (
    <Dialog title="Export conversations" onClose={onClose}>
      <p>
        The files have all conversations that fit the filters, each with its messages, as JSON lines
        compressed with gzip.
      </p>
      {entries.length > 0 ? (
        <Facts
          facts={entries.map(
            ([name, value]) =>
              [
                filterNames[name] ?? name,
                <Name
                  key={name}
                  value={(name === 'avatarId' && avatarName(`${value}`)) || [value].flat().join(', ')}
                />,
              ] as const,
          )}
        />
      ) : (
        <p>
          <strong>There is no filter: everything is exported.</strong>
        </p>
      )}
      {(filters.q !== undefined || filters.externalId !== undefined) && (
        <p class="quiet">An export does not use the search text, nor your id of the conversation.</p>
      )}
      <Problem error={create.error} onRepeat={async () => finish(await create.repeat())} />
      <p class="row end">
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          class="primary"
          disabled={create.isPending}
          onClick={async () => finish(await create.run(exportFilters))}
        >
          Export
        </button>
      </p>
      {earlierExports.data && earlierExports.data.items.length > 0 && (
        <>
          <h3>Earlier exports</h3>
          <ul class="list">
            {earlierExports.data.items.map((job) => (
              <li key={job.id} class="row">
                <button type="button" class="link" onClick={() => finish(job)}>
                  Requested <Time at={job.createdAt} />
                </button>
                <Badge value={job.status} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Dialog>
  );
}

/** The progress of an export, then its links. */
export function ExportPanel({ project, jobId }: { project: string; jobId: string | undefined }) {
  const followed = useJob(project, jobId);
  const { job } = followed;
  if (!jobId) return null;
  return (
    <JobPanel
      project={project}
      followed={followed}
      title="Export"
      parameter="export"
      verb="Exporting"
      noun="conversations"
      work="export"
    >
      {job?.status === 'cancelled' && <p>The export was cancelled.</p>}
      {job?.status === 'succeeded' && <Files project={project} jobId={jobId} />}
    </JobPanel>
  );
}

/** The links work for 15 minutes, so the page requests new links before that. */
const renewMs = 14 * 60_000;

function Files({ project, jobId }: { project: string; jobId: string }) {
  const { data, error, reload } = useLoad(
    (signal) => platform().projects(project).exports.get(jobId, { signal }),
    [project, jobId],
  );
  useEffect(() => {
    const timer = setInterval(reload, renewMs);
    return () => clearInterval(timer);
  }, []);
  return (
    <>
      <Problem error={error} onRepeat={reload} />
      {data && (
        <p role="status">
          {data.counts.records.toLocaleString('en')} conversations in {data.parts.length}{' '}
          {data.parts.length === 1 ? 'file' : 'files'}.{' '}
          {data.expiresAt && (
            <span class="quiet">
              The first file is deleted <Time at={data.expiresAt} />.
            </span>
          )}
        </p>
      )}
      <ul class="list" aria-label="Files">
        {data?.parts.map((part) => (
          <li key={part.number} class="row">
            <Part part={part} jobId={jobId} />
          </li>
        ))}
      </ul>
    </>
  );
}

const removals: Readonly<Record<string, string>> = {
  removed: 'This file was deleted, because data in it was erased or deleted. Export again to get the rest.',
  expired: 'This file was deleted after a day. Export again.',
};

function Part({ part, jobId }: { part: ExportPart; jobId: string }) {
  if (part.url === null) return <span class="quiet">{removals[part.status] ?? part.status}</span>;
  return (
    <>
      <a class="button" href={part.url} download={`conversations-${jobId}-${part.number}.jsonl.gz`}>
        Download file {part.number}
      </a>
      <span class="quiet">
        {part.records.toLocaleString('en')} conversations, {sizeOf(part.bytes)}
      </span>
    </>
  );
}
