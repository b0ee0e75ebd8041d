/** The projects of the organisation, by name. */

import { useState } from 'preact/hooks';
import type { Project } from '../../../clients/typescript/src/index.ts';
import { useAction } from '../request/use-action.ts';
import { usePages } from '../request/use-pages.ts';
import { href, navigate } from '../router.ts';
import { can, platform } from '../session/session.ts';
import { Badge, Empty, Head } from '../shared/basics.tsx';
import { Id } from '../shared/copy.tsx';
import { Dialog, Field } from '../shared/dialog.tsx';
import { List } from '../shared/list.tsx';
import { Problem } from '../shared/problem.tsx';
import { Name } from '../shared/text.tsx';
import { Time } from '../shared/time.tsx';

export default function Projects() {
  const list = usePages<Project>(
    'page',
    (signal) => platform().projects.list({ limit: 100 }, { signal }),
    [],
  );
  const [isCreating, setIsCreating] = useState(false);
  return (
    <>
      <Head title="Projects">
        {can('projects:write') && (
          <button type="button" class="primary" onClick={() => setIsCreating(true)}>
            New project
          </button>
        )}
      </Head>
      <List
        label="Projects"
        list={list}
        keyOf={({ id }) => id}
        row={(project) => (
          <div class="row-grid">
            <a class="main" href={href(`/projects/${project.id}`)}>
              <Name value={project.name} />
            </a>
            <Badge value={project.status} />
            <Id value={project.id} />
            <Time at={project.updatedAt} />
          </div>
        )}
        empty={
          <Empty title="There is no project yet" command="platform projects create --name Support">
            A project has avatars, knowledge and conversations. Create the first project here, or with the
            command line.
          </Empty>
        }
      />
      {isCreating && <NewProject onClose={() => setIsCreating(false)} />}
    </>
  );
}

function NewProject({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const create = useAction((input: { name: string }, options) => platform().projects.create(input, options));
  const finish = (project: Project | undefined) => {
    if (!project) return;
    onClose();
    navigate(`/projects/${project.id}`);
  };
  return (
    <Dialog title="New project" onClose={onClose}>
      <form
        onSubmit={async (event) => {
          event.preventDefault();
          finish(await create.run({ name }));
        }}
      >
        <Field label="Name">
          {(id) => (
            <input
              id={id}
              required
              maxLength={100}
              value={name}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          )}
        </Field>
        <Problem error={create.error} onRepeat={async () => finish(await create.repeat())} />
        <p class="row end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={create.isPending}>
            Create
          </button>
        </p>
      </form>
    </Dialog>
  );
}
