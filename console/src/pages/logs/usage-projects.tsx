/** What each project has used in the range of the address, as a plot with a table. */

import type { UsageOfProject } from '../../../../clients/typescript/src/index.ts';
import { useLoad } from '../../request/use-load.ts';
import { href, query, setQuery } from '../../router.ts';
import { platform } from '../../session/session.ts';
import { Loading } from '../../shared/basics.tsx';
import { ValuePlot } from '../../shared/plot.tsx';
import { Problem } from '../../shared/problem.tsx';
import { Name } from '../../shared/text.tsx';
import { daysInAddress, type Measure, measures, scaleOf } from './usage-days.tsx';

/** A plot with more projects has no room for their names. The table has more. */
const maxBars = 30;
/** A page has at most 100 projects. */
const maxPages = 5;

type Projects = { items: UsageOfProject[]; hasMore: boolean };

async function loadProjects(from: string, signal: AbortSignal): Promise<Projects> {
  const items: UsageOfProject[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const query = { groupBy: 'project', from, limit: 100, ...(cursor && { cursor }) } as const;
    const { projects } = await platform().usage.days(query, { signal });
    items.push(...(projects?.items ?? []));
    if (!projects?.nextCursor) return { items, hasMore: false };
    cursor = projects.nextCursor;
  }
  return { items, hasMore: true };
}

export function UsagePerProject() {
  const days = daysInAddress();
  const request = useLoad((signal) => loadProjects(`${days[0]}T00:00:00Z`, signal), [days.join()]);
  return (
    <section>
      <h2>Used per project</h2>
      <Problem error={request.error} onRepeat={request.reload} />
      {request.data ? (
        <ByProject projects={request.data} days={days.length} />
      ) : (
        request.error === undefined && <Loading />
      )}
    </section>
  );
}

function ByProject({ projects: { items, hasMore }, days }: { projects: Projects; days: number }) {
  if (items.length === 0) return <p class="quiet">No project has used anything in these days.</p>;
  const measure = measures.find(({ name }) => name === query.value.get('measure')) ?? measures[0];
  if (!measure) return null;
  const { name, label, show } = measure;
  const sorted = items.toSorted((one, other) => other.totals[name] - one.totals[name]);
  const bars = sorted.slice(0, maxBars).filter(({ totals }) => totals[name] > 0);
  const values = bars.map(({ totals }) => totals[name]);
  return (
    <>
      <div class="filters">
        <label>
          Plot of
          <select
            value={name}
            onChange={({ currentTarget: { value } }) =>
              setQuery({ measure: value === measures[0]?.name ? undefined : value })
            }
          >
            {measures.map((one) => (
              <option key={one.name} value={one.name}>
                {one.label}
              </option>
            ))}
          </select>
        </label>
      </div>
      <ValuePlot
        label={`${label} per project`}
        names={bars.map(nameOf)}
        values={values}
        total={items.reduce((sum, { totals }) => sum + totals[name], 0)}
        totalName={`in ${days} days`}
        scale={scaleOf(values)}
        show={show}
      />
      <section class="wide-table" aria-label="Used per project, as numbers" tabIndex={0}>
        <ProjectTable items={sorted} sortedBy={measure} />
      </section>
      {hasMore && (
        <p class="quiet">
          These are the newest {items.length} projects. The command <code>platform usage days</code> has all,
          with <code>--group-by project --csv</code>.
        </p>
      )}
    </>
  );
}

/** A project that is deleted has no name, and one that was removed has no id. */
const nameOf = ({ projectId, name }: UsageOfProject): string =>
  name ?? (projectId === null ? 'Removed project' : `Deleted project …${projectId.slice(-6)}`);

function ProjectTable({ items, sortedBy }: { items: readonly UsageOfProject[]; sortedBy: Measure }) {
  return (
    <table class="numbers used-by">
      <thead>
        <tr>
          <th scope="col">Project</th>
          {measures.map(({ name, label }) => (
            <th key={name} scope="col" {...(name === sortedBy.name && { 'aria-sort': 'descending' })}>
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {items.map((item, at) => (
          <tr key={item.projectId ?? at}>
            <th scope="row">
              {item.name === null ? (
                nameOf(item)
              ) : (
                <a href={href(`/projects/${item.projectId}/usage`)}>
                  <Name value={item.name} />
                </a>
              )}
            </th>
            {measures.map(({ name, show }) => (
              <td key={name}>{show(item.totals[name])}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
