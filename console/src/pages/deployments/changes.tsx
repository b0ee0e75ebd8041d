/** The changes from one deployment to another: avatars, with readable differences, and knowledge. */

import { useState } from 'preact/hooks';
import { useLoad } from '../../request/use-load.ts';
import { href } from '../../router.ts';
import { can, platform } from '../../session/session.ts';
import { Badge, Loading } from '../../shared/basics.tsx';
import { Id, shortId } from '../../shared/copy.tsx';
import { Changes } from '../../shared/diff.tsx';
import { Problem } from '../../shared/problem.tsx';
import { Name } from '../../shared/text.tsx';
import { labelOf, versionChanges } from '../avatars/content.ts';
import { type AvatarChange, avatarChanges, type Contents } from './avatar-changes.ts';
import { namesOf } from './contents.ts';
import { DocumentChanges } from './document-changes.tsx';

type Props = { project: string; from: Contents; to: Contents };

export function DeploymentChanges({ project, from, to }: Props) {
  const changes = avatarChanges(from, to);
  const ids = changes.map(({ avatarId }) => avatarId);
  const request = useLoad((signal) => namesOf(project, ids, signal), [ids.join()]);
  const names = request.data ?? new Map<string, string | null>();
  const isSameIndex = from.knowledgeIndexVersion === to.knowledgeIndexVersion;
  if (changes.length === 0 && isSameIndex)
    return <p class="quiet">The avatars and the knowledge are the same.</p>;
  const deletedAvatars = changes.filter(
    ({ avatarId, to: version }) => version !== null && names.get(avatarId) === null,
  );
  return (
    <>
      {deletedAvatars.length > 0 && (
        <p class="notice">
          {deletedAvatars.length === 1
            ? 'An avatar in it was deleted since. It stays as it was frozen, and nobody can change it.'
            : `${deletedAvatars.length} avatars in it were deleted since. They stay as they were frozen, and nobody can change them.`}
        </p>
      )}
      <Problem error={request.error} onRepeat={request.reload} />
      <ul class="rows contents">
        {changes.map((change) => (
          <AvatarRow
            key={change.avatarId}
            project={project}
            change={change}
            name={names.get(change.avatarId)}
          />
        ))}
        <li>
          <KnowledgeRow project={project} from={from} to={to} />
        </li>
      </ul>
    </>
  );
}

const tones = { added: 'good', changed: 'busy', removed: 'bad' } as const;

type AvatarRowProps = {
  project: string;
  change: AvatarChange;
  /** The name of the avatar; null if the avatar was deleted, undefined if the name is not loaded. */
  name: string | null | undefined;
};

function AvatarRow({ project, change, name }: AvatarRowProps) {
  const [isOpen, setIsOpen] = useState(false);
  const { avatarId, kind, from, to } = change;
  // The versions of a deleted avatar cannot be read.
  const canOpen = kind === 'changed' && name !== null && can('avatars:read');
  // A summary is a control, and must not contain a button.
  const id = canOpen ? <code>{shortId(avatarId)}</code> : <Id value={avatarId} />;
  const heading = (
    <>
      <Badge value={kind} tone={tones[kind]} /> {name ? <Name value={name} /> : id}{' '}
      <span class="quiet">
        {from !== null && to !== null ? `version ${from} → ${to}` : `version ${to ?? from}`}
        {name === null && ', deleted since'}
      </span>
    </>
  );
  if (!canOpen) return <li>{heading}</li>;
  return (
    <li>
      <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary>{heading}</summary>
        {isOpen && <AvatarDifference project={project} change={change} />}
      </details>
    </li>
  );
}

function AvatarDifference({ project, change }: { project: string; change: AvatarChange }) {
  const { avatarId, from, to } = change;
  const { data, error, reload } = useLoad(
    (signal) => {
      const { versions } = platform().projects(project).avatars;
      const version = (number: number | null) => versions.get(avatarId, number ?? 1, { signal });
      return Promise.all([version(from), version(to)]);
    },
    [avatarId, from, to],
  );
  if (!data) return error ? <Problem error={error} onRepeat={reload} /> : <Loading />;
  return (
    <div class="version">
      <Changes changes={versionChanges(...data)} nameOf={labelOf} />
      <p>
        <a href={href(`/projects/${project}/avatars/${avatarId}`, { view: 'versions', from, to })}>
          Open the versions
        </a>
      </p>
    </div>
  );
}

function KnowledgeRow({ project, from, to }: Props) {
  const before = from.knowledgeIndexVersion;
  const after = to.knowledgeIndexVersion;
  if (before === after) return <span class="quiet">The knowledge is the same.</span>;
  return (
    <>
      <Badge value={after === null ? 'removed' : before === null ? 'added' : 'changed'} tone="busy" />{' '}
      Knowledge{' '}
      <span class="quiet">
        {before === null ? 'no index' : <Id value={before} />} →{' '}
        {after === null ? 'no index' : <Id value={after} />}
      </span>{' '}
      {can('knowledge:read') && <a href={href(`/projects/${project}/knowledge/search`)}>Search both</a>}
      {from.id && to.id && (
        <DocumentChanges key={`${from.id} ${to.id}`} project={project} from={from.id} to={to.id} />
      )}
    </>
  );
}
