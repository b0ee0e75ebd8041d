/** A choice of all projects, or of some. */

import { useId, useState } from 'preact/hooks';
import type { Project } from '../../../clients/typescript/src/index.ts';
import { usePages } from '../request/use-pages.ts';
import { can, platform, session } from '../session/session.ts';
import { Loading } from './basics.tsx';
import { Field } from './dialog.tsx';
import { Problem } from './problem.tsx';
import { Name } from './text.tsx';

type Props = {
  /** The ids of the projects; null for all projects. */
  value: readonly string[] | null;
  onChange: (value: readonly string[] | null) => void;
  /** What a choice means, such as `The key can access`. */
  label: string;
};

export function ProjectPicker({ value, onChange, label }: Props) {
  const name = useId();
  const boundProjects = session.value?.me.projectIds ?? null;
  return (
    <fieldset class="picker">
      <legend>{label}</legend>
      <label class="check">
        <input type="radio" name={name} checked={value === null} onChange={() => onChange(null)} />
        {boundProjects === null ? 'All projects' : 'The projects of your credential'}
      </label>
      <label class="check">
        <input type="radio" name={name} checked={value !== null} onChange={() => onChange([])} />
        Only some projects
      </label>
      {value !== null &&
        (can('projects:read') ? (
          <Projects value={value} onChange={onChange} />
        ) : (
          <Ids value={value} onChange={onChange} />
        ))}
    </fieldset>
  );
}

type SomeProps = { value: readonly string[]; onChange: (value: readonly string[]) => void };

function Projects({ value, onChange }: SomeProps) {
  const [text, setText] = useState('');
  const list = usePages<Project>(
    'projects',
    (signal) => platform().projects.list({ limit: 100 }, { signal }),
    ['picker'],
  );
  const matches = list.pages
    .flat()
    .filter((project) => project.name.toLowerCase().includes(text.toLowerCase()));
  const toggle = (id: string) =>
    onChange(value.includes(id) ? value.filter((one) => one !== id) : [...value, id]);
  return (
    <>
      <Field label="Find a project">
        {(id) => <input id={id} value={text} onInput={(event) => setText(event.currentTarget.value)} />}
      </Field>
      <fieldset class="choices">
        <legend class="sr-only">Projects</legend>
        {matches.map((project) => (
          <label class="check" key={project.id}>
            <input type="checkbox" checked={value.includes(project.id)} onChange={() => toggle(project.id)} />
            <Name value={project.name} />
          </label>
        ))}
        {list.isLoading && <Loading />}
        <Problem error={list.error} onRepeat={list.loadMore} />
        {list.isLast === false && !list.isLoading && (
          <button type="button" class="small" onClick={list.loadMore}>
            Show more projects
          </button>
        )}
      </fieldset>
      <small class="quiet" role="status">
        {value.length} chosen
      </small>
    </>
  );
}

/** A field for ids, in place of the list that the credential may not read. */
const Ids = ({ value, onChange }: SomeProps) => (
  <Field label="Ids of projects" hint="One in each line.">
    {(id) => (
      <textarea
        id={id}
        rows={3}
        value={value.join('\n')}
        onChange={(event) => onChange(event.currentTarget.value.split(/\s+/).filter(Boolean))}
      />
    )}
  </Field>
);
