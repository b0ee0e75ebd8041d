/** The jobs of a project, with their states. */

import type { Job } from '../../../../clients/typescript/src/index.ts';
import { jobTypeNames, scopeOf } from '../../../../lib/jobs/types.ts';
import { usePages } from '../../request/use-pages.ts';
import { href } from '../../router.ts';
import type { PageParams } from '../../router-path.ts';
import { can, platform } from '../../session/session.ts';
import { Badge, Empty, Head } from '../../shared/basics.tsx';
import { Id } from '../../shared/copy.tsx';
import { List } from '../../shared/list.tsx';
import { Filters, filterChoice, SelectFilter } from '../../shared/query-filters.tsx';
import { duration, Time } from '../../shared/time.tsx';
import { counts, isOpen, secondsOf, stateOf, titleOf } from './texts.ts';

const statuses = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;

export default function Jobs({ params }: { params: PageParams }) {
  const project = params.project ?? '';
  const readableTypes = jobTypeNames.filter((type) => can(scopeOf({ type }, 'read')));
  if (readableTypes.length === 0)
    return (
      <>
        <Head title="Jobs" />
        <p>
          This credential may read no job. Each type of job needs the scope of its data: knowledge:read,
          conversations:read or audit:read.
        </p>
      </>
    );
  return <JobList project={project} types={readableTypes} />;
}

type ListProps = { project: string; types: readonly (typeof jobTypeNames)[number][] };

function JobList({ project, types }: ListProps) {
  const status = filterChoice('status', statuses);
  const type = filterChoice('type', types);
  const list = usePages<Job>(
    'page',
    (signal) => platform().projects(project).jobs.list({ limit: 50, status, type }, { signal }),
    [status, type],
  );
  return (
    <>
      <Head title="Jobs" />
      <Filters names={['status', 'type']}>
        <SelectFilter
          name="status"
          label="Status"
          anyLabel="Any"
          options={statuses.map((one) => [one, one] as const)}
        />
        <SelectFilter
          name="type"
          label="Type"
          anyLabel="All"
          options={types.map((one) => [one, titleOf(one)] as const)}
        />
        <button type="button" onClick={list.reload}>
          Refresh
        </button>
      </Filters>
      <List
        label="Jobs"
        list={list}
        keyOf={({ id }) => id}
        row={(job) => <Row project={project} job={job} />}
        empty={
          status || type ? (
            <Empty title="No job matches the filters" />
          ) : (
            <Empty title="There was no job in the last 30 days" command="platform reindex --wait">
              Long work runs as a job: re-indexing, exports, imports and erasures.
            </Empty>
          )
        }
      />
    </>
  );
}

function Row({ project, job }: { project: string; job: Job }) {
  const seconds = isOpen(job) ? undefined : secondsOf(job, Date.now());
  return (
    <div class="row-grid job-row">
      <a class="main" href={href(`/projects/${project}/jobs/${job.id}`)}>
        {titleOf(job.type)}
      </a>
      <span class="state">
        <Badge {...stateOf(job)} />
      </span>
      <span class="quiet counts">{job.error ? job.error.code.replaceAll('_', ' ') : counts(job)}</span>
      <span class="quiet time">{seconds === undefined ? '' : `took ${duration(seconds)}`}</span>
      <span class="quiet when">
        <Time at={job.createdAt} />
      </span>
      <Id value={job.id} />
    </div>
  );
}
