/** A new avatar, with the form of an existing avatar. */

import { useState } from 'preact/hooks';
import type { Avatar, AvatarCreateRequest } from '../../../../clients/typescript/src/index.ts';
import { useAction } from '../../request/use-action.ts';
import { navigate } from '../../router.ts';
import { mayChange } from '../../session/project-state.ts';
import { platform } from '../../session/session.ts';
import { Head, useTitle } from '../../shared/basics.tsx';
import { Problem } from '../../shared/problem.tsx';
import { type Draft, emptyDraft } from './content.ts';
import { Editor } from './editor.tsx';

export function NewAvatar({ project }: { project: string }) {
  const [draft, setDraft] = useState<Draft>(emptyDraft);
  const [isValid, setIsValid] = useState(true);
  useTitle('New avatar');
  const create = useAction((body: Draft, options) =>
    platform()
      .projects(project)
      .avatars.create(body as AvatarCreateRequest, options),
  );
  const finish = (avatar: Avatar | undefined) => {
    if (avatar) navigate(`/projects/${project}/avatars/${avatar.id}`);
  };
  if (!mayChange('avatars:write')) return <p>This credential may not create avatars.</p>;
  return (
    <>
      <Head title="New avatar" />
      <form
        onSubmit={async (event) => {
          event.preventDefault();
          if (isValid) finish(await create.run(draft));
        }}
      >
        <Editor draft={draft} error={create.error} onChange={setDraft} onValid={setIsValid} />
        <Problem error={create.error} onRepeat={async () => finish(await create.repeat())} />
        <p class="row end save">
          <button type="submit" class="primary" disabled={!isValid || create.isPending}>
            {create.isPending ? 'Creating …' : 'Create'}
          </button>
        </p>
      </form>
    </>
  );
}
