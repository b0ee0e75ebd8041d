/** Archives an avatar, makes it active again, or deletes it. */

import { useState } from 'preact/hooks';
import type { Avatar } from '../../../../clients/typescript/src/index.ts';
import { useAction } from '../../request/use-action.ts';
import { navigate } from '../../router.ts';
import { platform } from '../../session/session.ts';
import { announce } from '../../shared/basics.tsx';
import { Confirm } from '../../shared/dialog.tsx';
import { Problem } from '../../shared/problem.tsx';
import { Name } from '../../shared/text.tsx';
import { etagOf } from './content.ts';
import type { Serving } from './versions.tsx';

type Props = {
  project: string;
  avatar: Avatar;
  serving: readonly Serving[];
  onStored: (avatar: Avatar) => void;
};

export function AvatarActions({ project, avatar, serving, onStored }: Props) {
  const [isDeleting, setIsDeleting] = useState(false);
  const { avatars } = platform().projects(project);
  const isArchived = avatar.status === 'archived';
  const change = useAction((status: 'active' | 'archived') =>
    avatars.update(avatar.id, { status }, { ifMatch: etagOf(avatar) }),
  );
  const finish = (result: Avatar | undefined) => {
    if (!result) return;
    onStored(result);
    announce(result.status === 'archived' ? 'Archived.' : 'Active again.');
  };
  return (
    <>
      <button
        type="button"
        disabled={change.isPending}
        onClick={async () => finish(await change.run(isArchived ? 'active' : 'archived'))}
      >
        {isArchived ? 'Make active again' : 'Archive'}
      </button>
      <button type="button" class="danger" onClick={() => setIsDeleting(true)}>
        Delete …
      </button>
      <Problem error={change.error} onRepeat={async () => finish(await change.repeat())} />
      {isDeleting && (
        <DeleteAvatar
          project={project}
          avatar={avatar}
          serving={serving}
          onClose={() => setIsDeleting(false)}
        />
      )}
    </>
  );
}

type DeleteProps = Omit<Props, 'onStored'> & { onClose: () => void };

function DeleteAvatar({ project, avatar, serving, onClose }: DeleteProps) {
  const remove = useAction(() =>
    platform()
      .projects(project)
      .avatars.delete(avatar.id, { ifMatch: etagOf(avatar) }),
  );
  const finish = (result: Avatar | undefined) => {
    if (!result) return;
    announce('Deleted.');
    navigate(`/projects/${project}/avatars`);
  };
  const environments = serving.map(({ environment }) => environment).join(', ');
  return (
    <Confirm
      title="Delete the avatar"
      action="Delete permanently"
      phrase="delete"
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={async () => finish(await remove.run(undefined))}
      onRepeat={async () => finish(await remove.repeat())}
      onClose={onClose}
    >
      <p>
        <Name value={avatar.name} /> and its {avatar.version} {avatar.version === 1 ? 'version' : 'versions'}{' '}
        go away. Nobody can bring them back. Earlier deployments keep their versions, so a rollback still
        works.
      </p>
      {environments && (
        <p class="notice">
          {environments} {serving.length === 1 ? 'serves' : 'serve'} this avatar, so the service will refuse.
          Archive the avatar, deploy, and delete it then.
        </p>
      )}
    </Confirm>
  );
}
