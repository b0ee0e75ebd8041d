/** An avatar: its fields, or its versions. Somebody who may not change it sees the fields as text. */

import type { Avatar } from '../../../../clients/typescript/src/index.ts';
import { useLoad } from '../../request/use-load.ts';
import { query } from '../../router.ts';
import type { PageParams } from '../../router-path.ts';
import { can, mayChange, platform } from '../../session/session.ts';
import { Badge, Head, Loading, useTitle } from '../../shared/basics.tsx';
import { Id } from '../../shared/copy.tsx';
import { environmentHref } from '../../shared/deployment-name.tsx';
import { isObject } from '../../shared/difference.ts';
import { AuditLink } from '../../shared/links.tsx';
import { Problem } from '../../shared/problem.tsx';
import { Name, Values } from '../../shared/text.tsx';
import { Time } from '../../shared/time.tsx';
import { contentOf, labelOf, type Path } from './content.ts';
import { EditAvatar, NewAvatar } from './edit.tsx';
import { AvatarActions } from './remove.tsx';
import { AvatarTabs } from './tabs.tsx';
import { loadServing, type Serving, Versions } from './versions.tsx';

export default function AvatarPage({ params: { project = '', avatar = '' } }: { params: PageParams }) {
  return avatar === 'new' ? (
    <NewAvatar project={project} />
  ) : (
    <ExistingAvatar project={project} id={avatar} />
  );
}

function ExistingAvatar({ project, id }: { project: string; id: string }) {
  const request = useLoad(
    (signal) => platform().projects(project).avatars.get(id, { signal }),
    [project, id],
  );
  // Without its data, the page only lacks the notes on environments.
  const servingRequest = useLoad((signal) => loadServing(project, id, signal), [project, id]);
  const serving = servingRequest.data ?? [];
  const { data: avatar, error, reload } = request;
  useTitle(avatar?.name ?? 'Avatar');
  if (!avatar) return error ? <Problem error={error} onRepeat={reload} /> : <Loading />;
  const isVersions = query.value.get('view') === 'versions';
  return (
    <>
      <Head title={<Name value={avatar.name} />}>
        <Badge value={avatar.status} />
        <Id value={avatar.id} />
        {mayChange('avatars:write') && (
          <AvatarActions project={project} avatar={avatar} serving={serving} onStored={request.set} />
        )}
      </Head>
      <p class="quiet">
        Version {avatar.version}, changed <Time at={avatar.updatedAt} />
        {serving.map((entry) => (
          <ServingNote key={entry.environment} project={project} serving={entry} latest={avatar.version} />
        ))}
        {can('audit:read') && ' · '}
        <AuditLink id={id} />
      </p>
      <AvatarTabs project={project} avatar={id} current={isVersions ? 'versions' : 'content'} />
      {isVersions ? (
        !(servingRequest.isLoading && !servingRequest.data) && (
          <Versions project={project} avatar={avatar} serving={serving} />
        )
      ) : !mayChange('avatars:write') ? (
        <ReadOnlyAvatar avatar={avatar} />
      ) : (
        <EditAvatar key={`${id} ${avatar.status}`} project={project} avatar={avatar} onStored={request.set} />
      )}
    </>
  );
}

type ServingNoteProps = { project: string; serving: Serving; latest: number };

const ServingNote = ({ project, serving: { environment, version }, latest }: ServingNoteProps) => (
  <>
    {' · '}
    <a href={environmentHref(project, environment)}>{environment}</a>{' '}
    {version === latest ? 'serves it' : `serves version ${version}`}
  </>
);

/** @returns the fields that have a value and no fields below them */
const leavesOf = (value: unknown, path: Path = []): (readonly [Path, unknown])[] =>
  isObject(value)
    ? Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, [...path, name]))
    : [[path, value]];

function textOf(value: unknown): string {
  if (!Array.isArray(value)) return value === null ? '' : String(value);
  return value.every((item) => typeof item === 'string') ? value.join(', ') : JSON.stringify(value);
}

export const ReadOnlyAvatar = ({ avatar }: { avatar: Avatar }) => (
  <Values values={leavesOf(contentOf(avatar)).map(([path, value]) => [labelOf(path), textOf(value)])} />
);
