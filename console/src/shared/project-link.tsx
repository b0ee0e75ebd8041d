/** A project by its name. The names are loaded once in a session. */

import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { href } from '../router.ts';
import { can, onSignOut, platform } from '../session/session.ts';
import { Id } from './copy.tsx';
import { Name } from './text.tsx';

const names = signal<ReadonlyMap<string, string>>(new Map());
let isRequested = false;
onSignOut(() => {
  names.value = new Map();
  isRequested = false;
});

const maxNames = 100;

/** @returns the names of the newest projects by id; empty until they are loaded, and without the scope */
export function useProjectNames(): ReadonlyMap<string, string> {
  useEffect(() => {
    if (isRequested || !can('projects:read')) return;
    isRequested = true;
    platform()
      .projects.list({ limit: maxNames })
      .then(
        ({ items }) => {
          names.value = new Map(items.map(({ id, name }) => [id, name]));
        },
        // The pages show ids in place of names.
        () => {
          isRequested = false;
        },
      );
  }, []);
  return names.value;
}

export function ProjectLink({ id }: { id: string }) {
  const name = useProjectNames().get(id);
  if (!can('projects:read')) return <Id value={id} />;
  return (
    <a href={href(`/projects/${id}`)} title={id}>
      <Name value={name ?? `…${id.slice(-6)}`} />
    </a>
  );
}

/** @param ids the ids of the projects; null for all projects */
export const ProjectLinks = ({ ids }: { ids: readonly string[] | null }) =>
  ids === null ? (
    <>all</>
  ) : (
    <ul class="plain">
      {ids.map((id) => (
        <li key={id}>
          <ProjectLink id={id} />
        </li>
      ))}
    </ul>
  );
