/** A filter by project. */

import { useProjectNames } from './project-link.tsx';
import { filterValue, SelectFilter, TextFilter } from './query-filters.tsx';

export function ProjectFilter() {
  const names = useProjectNames();
  const projectId = filterValue('projectId');
  if (names.size === 0) return <TextFilter name="projectId" label="Project" placeholder="proj_…" />;
  const options = [...names].map(([id, name]) => [id, name.slice(0, 80)] as const);
  const unnamed = projectId && !names.has(projectId) ? [[projectId, projectId] as const] : [];
  return <SelectFilter name="projectId" label="Project" anyLabel="All" options={[...options, ...unnamed]} />;
}
