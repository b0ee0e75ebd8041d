/** The avatars of a project, newest first. */

import type { Avatar } from '../../../../clients/typescript/src/index.ts';
import { useCommands } from '../../palette-commands.ts';
import { usePages } from '../../request/use-pages.ts';
import { href, navigate } from '../../router.ts';
import type { PageParams } from '../../router-path.ts';
import { mayChange, platform } from '../../session/session.ts';
import { Badge, Empty, Head } from '../../shared/basics.tsx';
import { Id } from '../../shared/copy.tsx';
import { List } from '../../shared/list.tsx';
import {
  Filters,
  filterChoice,
  filterValue,
  SelectFilter,
  TextFilter,
  TimeFilter,
} from '../../shared/query-filters.tsx';
import { Name } from '../../shared/text.tsx';
import { Time } from '../../shared/time.tsx';

const filterNames = ['namePrefix', 'externalId', 'status', 'createdFrom', 'createdBefore'] as const;
const statuses = ['active', 'archived'] as const;

export default function Avatars({ params: { project = '' } }: { params: PageParams }) {
  const filters = {
    namePrefix: filterValue('namePrefix'),
    externalId: filterValue('externalId'),
    status: filterChoice('status', statuses),
    createdFrom: filterValue('createdFrom'),
    createdBefore: filterValue('createdBefore'),
  };
  const list = usePages<Avatar>(
    'page',
    (signal) =>
      platform()
        .projects(project)
        .avatars.list({ ...filters, limit: 100 }, { signal }),
    [JSON.stringify(filters)],
  );
  const newAvatar = `/projects/${project}/avatars/new`;
  const canWrite = mayChange('avatars:write');
  useCommands(canWrite ? [{ label: 'New avatar', run: () => navigate(newAvatar) }] : []);
  const isFiltered = Object.values(filters).some(Boolean);
  return (
    <>
      <Head title="Avatars">
        {canWrite && (
          <a class="button primary" href={href(newAvatar)}>
            New avatar
          </a>
        )}
      </Head>
      <Filters names={filterNames}>
        <TextFilter name="namePrefix" label="Name starts with" />
        <TextFilter name="externalId" label="External id" />
        <SelectFilter
          name="status"
          label="Status"
          anyLabel="Any"
          options={statuses.map((one) => [one, one] as const)}
        />
        <TimeFilter name="createdFrom" label="Created from" />
        <TimeFilter name="createdBefore" label="Created before" />
      </Filters>
      <List
        label="Avatars"
        list={list}
        keyOf={({ id }) => id}
        row={(avatar) => <Row project={project} avatar={avatar} />}
        empty={
          isFiltered ? (
            <Empty title="No avatar matches" />
          ) : (
            <Empty
              title="There is no avatar yet"
              command={`platform avatars create --project ${project} --name Ada --prompt 'You are Ada.'`}
            >
              An avatar has a name, a prompt, a language and the tags of what it knows. Create the first one
              here, or with the command line.
            </Empty>
          )
        }
      />
    </>
  );
}

function Row({ project, avatar }: { project: string; avatar: Avatar }) {
  const { id, name, externalId, status, persona, knowledgeTags, version, updatedAt } = avatar;
  return (
    <div class="row-grid avatar-row">
      <span class="main">
        <a href={href(`/projects/${project}/avatars/${id}`)}>
          <Name value={name} />
        </a>{' '}
        {externalId && (
          <span class="quiet">
            <Name value={externalId} />
          </span>
        )}
      </span>
      <span class="quiet">{persona.language}</span>
      <span class="quiet" title={knowledgeTags.join(', ')}>
        {knowledgeTags.length > 0 && `${knowledgeTags.length} ${knowledgeTags.length === 1 ? 'tag' : 'tags'}`}
      </span>
      <span class="quiet">version {version}</span>
      <Badge value={status} />
      <Id value={id} />
      <Time at={updatedAt} />
    </div>
  );
}
