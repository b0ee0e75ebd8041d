/** Asks the draft of an avatar and a deployment the same questions, side by side. */

import { useState } from 'preact/hooks';
import type { Avatar } from '../../../../../clients/typescript/src/index.ts';
import { namedLack } from '../../../../../lib/base/scopes.ts';
import { draftReaders } from '../../../../../lib/replies/scopes.ts';
import { useLoad } from '../../../request/use-load.ts';
import { href, query, setQuery } from '../../../router.ts';
import type { PageParams } from '../../../router-path.ts';
import { can, isArchived, platform, session } from '../../../session/session.ts';
import { Badge, Head, Loading, useTitle } from '../../../shared/basics.tsx';
import { Id } from '../../../shared/copy.tsx';
import { Problem } from '../../../shared/problem.tsx';
import { Name } from '../../../shared/text.tsx';
import { AvatarTabs } from '../tabs.tsx';
import { unsavedOf } from '../unsaved.ts';
import { Ask } from './ask.tsx';
import { Side } from './side.tsx';
import { deploymentAskers, loadSides, type ServedSide, sideOf } from './sides.ts';
import { useChat } from './use-chat.ts';

export default function TryPage({ params: { project = '', avatar: id = '' } }: { params: PageParams }) {
  const {
    data: avatar,
    error,
    reload,
  } = useLoad((signal) => platform().projects(project).avatars.get(id, { signal }), [project, id]);
  const canAsk = can(deploymentAskers);
  const sides = useLoad(
    async (signal) => (canAsk ? loadSides(project, id, signal) : []),
    [project, id, canAsk],
  );
  useTitle(avatar ? `Try ${avatar.name}` : 'Try it');
  if (!avatar) return error ? <Problem error={error} onRepeat={reload} /> : <Loading />;
  return (
    <>
      <Head title={<Name value={avatar.name} />}>
        <Badge value={avatar.status} />
        <Id value={avatar.id} />
      </Head>
      <AvatarTabs project={project} avatar={id} current="try" />
      <Problem error={sides.error} onRepeat={sides.reload} />
      {!canAsk ? (
        <p>Asking needs {lackOf(deploymentAskers)}, which your credential does not have.</p>
      ) : isArchived.value ? null : sides.data ? (
        <Comparison project={project} avatar={avatar} sides={sides.data} />
      ) : (
        sides.error === undefined && <Loading />
      )}
    </>
  );
}

const lackOf = (required: Parameters<typeof namedLack>[1]): string =>
  namedLack(session.value?.me.scopes ?? [], required);

type Props = { project: string; avatar: Avatar; sides: readonly ServedSide[] };

function Comparison({ project, avatar, sides }: Props) {
  const served = sideOf(sides, query.value.get('with'));
  const draft = useChat(project, avatar.id, { draft: true });
  const other = useChat(project, avatar.id, served?.target);
  const [question, setQuestion] = useState('');
  const chats = [...(can(draftReaders) ? [draft] : []), ...(served ? [other] : [])];
  const isBusy = chats.some((chat) => chat.isBusy);
  const at = { project, avatar: avatar.id };
  return (
    <>
      <div class="try">
        {can(draftReaders) ? (
          <Side {...at} title="Draft" chat={draft} isFirst>
            <p class="quiet">
              Version {avatar.version} or newer, with the published knowledge.
              {unsavedOf(avatar.id) && ' Your unsaved changes are not in it.'}
            </p>
          </Side>
        ) : (
          <p class="notice">
            There is no draft beside the deployment: it needs {lackOf(draftReaders)}, which your credential
            does not have.
          </p>
        )}
        <Side {...at} title="Deployment" chat={other} isFirst={!can(draftReaders)}>
          {served ? (
            <label class="row">
              What answers
              <select
                value={served.key}
                onChange={({ currentTarget }) => {
                  setQuery({ with: currentTarget.value });
                  other.reset();
                }}
              >
                {(['environment', 'deployment'] as const).map((kind) => (
                  <optgroup key={kind} label={kind === 'environment' ? 'Environments' : 'Deployments'}>
                    {sides
                      .filter((side) => side.kind === kind)
                      .map(({ key, label }) => (
                        <option key={key} value={key}>
                          {label}
                        </option>
                      ))}
                  </optgroup>
                ))}
              </select>
            </label>
          ) : (
            <p class="quiet">
              No deployment has this avatar yet.{' '}
              <a href={href(`/projects/${project}/deployments`)}>Deploy the project</a> to compare.
            </p>
          )}
        </Side>
      </div>
      <Ask
        text={question}
        isBusy={isBusy}
        canAsk={chats.length > 0}
        isToBoth={chats.length > 1}
        hasAsked={chats.some(({ exchanges }) => exchanges.length > 0)}
        onText={setQuestion}
        onAsk={(text) => {
          for (const chat of chats) chat.ask(text);
          setQuestion('');
        }}
        onReset={() => {
          for (const chat of chats) chat.reset();
        }}
      />
    </>
  );
}
