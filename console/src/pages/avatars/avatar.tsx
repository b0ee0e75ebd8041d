/** An avatar: its fields, or its versions. */

import { AuditLink } from '../../parts/audit-link.tsx';
import { Badge, Head, Loading, useTitle } from '../../parts/basics.tsx';
import { Id } from '../../parts/copy.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Name } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';
import { useLoad } from '../../request/use-load.ts';
import { href, query } from '../../router.ts';
import { mayChange } from '../../session/project-state.ts';
import { can, platform } from '../../session/session.ts';
import type { PageParams } from '../registry.ts';
import { NewAvatar } from './create.tsx';
import { EditAvatar } from './edit.tsx';
import { AvatarActions } from './remove.tsx';
import { loadServing, type Serving } from './serving.ts';
import { ShownAvatar } from './shown.tsx';
import { Versions } from './versions.tsx';

export default function AvatarPage({ params: { project = '', avatar = '' } }: { params: PageParams }) {
  return avatar === 'new' ? <NewAvatar project={project} /> : <OneAvatar project={project} id={avatar} />;
}

function OneAvatar({ project, id }: { project: string; id: string }) {
  const loaded = useLoad((signal) => platform().projects(project).avatars.get(id, { signal }), [project, id]);
  // Without this, the page has everything but a note.
  const served = useLoad((signal) => loadServing(project, id, signal), [project, id]);
  const serving = served.data ?? [];
  const { data: avatar, error, reload } = loaded;
  useTitle(avatar?.name ?? 'Avatar');
  if (!avatar) return error ? <Problem error={error} onRepeat={reload} /> : <Loading />;
  const isVersions = query.value.get('view') === 'versions';
  const at = `/projects/${project}/avatars/${id}`;
  const tab = (title: string, target: string, isCurrent: boolean) => (
    <a href={target} aria-current={isCurrent ? 'page' : undefined}>
      {title}
    </a>
  );
  return (
    <>
      <Head title={<Name value={avatar.name} />}>
        <Badge value={avatar.status} />
        <Id value={avatar.id} />
        {mayChange('avatars:write') && (
          <AvatarActions project={project} avatar={avatar} serving={serving} onStored={loaded.set} />
        )}
      </Head>
      <p class="quiet">
        Version {avatar.version}, changed <Time at={avatar.updatedAt} />
        {serving.map((one) => (
          <ServingNote key={one.environment} project={project} serving={one} latest={avatar.version} />
        ))}
        {can('audit:read') && ' · '}
        <AuditLink id={id} />
      </p>
      <nav class="tabs" aria-label="Views">
        {tab('Content', href(at), !isVersions)}
        {tab('Versions', href(at, { view: 'versions' }), isVersions)}
      </nav>
      {isVersions ? (
        !(served.isLoading && !served.data) && (
          <Versions project={project} avatar={avatar} serving={serving} />
        )
      ) : !mayChange('avatars:write') ? (
        <ShownAvatar avatar={avatar} />
      ) : (
        <EditAvatar key={`${id} ${avatar.status}`} project={project} avatar={avatar} onStored={loaded.set} />
      )}
    </>
  );
}

type ServingNoteProps = { project: string; serving: Serving; latest: number };

const ServingNote = ({ project, serving: { environment, version }, latest }: ServingNoteProps) => (
  <>
    {' · '}
    <a href={href(`/projects/${project}/deployments`, { environment })}>{environment}</a>{' '}
    {version === latest ? 'serves it' : `serves version ${version}`}
  </>
);
