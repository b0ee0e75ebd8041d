/** A log, such as the audit log: a list of entries by their time, with filters. */

import type { ComponentChildren } from 'preact';
import type { usePages } from '../../request/use-pages.ts';
import { Empty, Expander, Head } from '../../shared/basics.tsx';
import { List } from '../../shared/list.tsx';
import { useProjectNames } from '../../shared/project-link.tsx';
import { Filters, filterValue, SelectFilter, TextFilter, TimeFilter } from '../../shared/query-filters.tsx';
import { Time } from '../../shared/time.tsx';

type Props<Entry> = {
  title: string;
  label: string;
  list: ReturnType<typeof usePages<Entry>>;
  /** All filters. */
  names: readonly string[];
  /** The filters that only this log has. */
  filters: ComponentChildren;
  row: (entry: Entry) => ComponentChildren;
  /** Without filters. */
  empty: ComponentChildren;
};

export function Log<Entry extends { id: string }>({
  title,
  label,
  list,
  names,
  filters,
  row,
  empty,
}: Props<Entry>) {
  return (
    <>
      <Head title={title} />
      <Filters names={names}>
        {filters}
        <TextFilter name="resourceId" label="Resource" placeholder="its id" />
        <ProjectFilter />
        <TimeFilter name="from" label="From" />
        <TimeFilter name="to" label="Before" />
        <button type="button" onClick={list.reload}>
          Refresh
        </button>
      </Filters>
      <List
        label={label}
        list={list}
        keyOf={({ id }) => id}
        row={row}
        empty={names.some(filterValue) ? <Empty title="No event matches the filters" /> : empty}
      />
    </>
  );
}

type RowProps = {
  who: ComponentChildren;
  main: ComponentChildren;
  what?: ComponentChildren;
  at: string;
  children: () => ComponentChildren;
};

/** An entry. Its children are its details. */
export const LogRow = ({ who, main, what, at, children }: RowProps) => (
  <Expander
    summary={
      <span class="row-grid log-row">
        <span class="who">{who}</span>
        <span class="main">{main}</span>
        {what && <span class="what quiet">{what}</span>}
        <span class="quiet when">
          <Time at={at} />
        </span>
      </span>
    }
  >
    {children}
  </Expander>
);

/** A filter by project. */
function ProjectFilter() {
  const names = useProjectNames();
  const projectId = filterValue('projectId');
  if (names.size === 0) return <TextFilter name="projectId" label="Project" placeholder="proj_…" />;
  const options = [...names].map(([id, name]) => [id, name.slice(0, 80)] as const);
  const unnamed = projectId && !names.has(projectId) ? [[projectId, projectId] as const] : [];
  return <SelectFilter name="projectId" label="Project" anyLabel="All" options={[...options, ...unnamed]} />;
}
