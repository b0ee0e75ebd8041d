/** The fields of a conversation, apart from its messages. */

import type { Conversation } from '../../../../clients/typescript/src/index.ts';
import { href } from '../../router.ts';
import { can } from '../../session/session.ts';
import { Badge, Facts } from '../../shared/basics.tsx';
import { Id } from '../../shared/copy.tsx';
import { Credential } from '../../shared/credential.tsx';
import { ResourceLink } from '../../shared/links.tsx';
import { resourceName } from '../../shared/resource-names.ts';
import { LongText, Name } from '../../shared/text.tsx';
import { duration, Time } from '../../shared/time.tsx';
import { AvatarName } from './names.tsx';

export const metadataFacts = (metadata: Conversation['metadata']) =>
  Object.entries(metadata).map(([name, value]) => [name, <LongText key={name} value={value} />] as const);

export function ConversationFacts({ project, value }: { project: string; value: Conversation }) {
  const base = `/projects/${project}`;
  const { messageCountByRole: counts } = value;
  const isActive = value.status === 'active';
  return (
    <>
      <Facts
        facts={[
          [
            'State',
            <span key="state" class="row">
              <Badge value={value.status} tone={isActive ? 'good' : 'quiet'} />
              {value.endReason && <Name value={value.endReason} />}
              {value.test && <Badge value="test" tone="quiet" />}
            </span>,
          ],
          ['Started', <Time key="started" at={value.startedAt} />],
          ['Duration', duration(value.durationSeconds)],
          [
            'Avatar',
            can('avatars:read') ? (
              <a href={href(`${base}/avatars/${value.avatarId}`)}>
                <AvatarName id={value.avatarId} />
              </a>
            ) : (
              <Id value={value.avatarId} />
            ),
          ],
          [
            'Deployment',
            value.deploymentId ? (
              <ResourceLink
                key="deployment"
                id={value.deploymentId}
                project={project}
                name={resourceName(value.deploymentId, project)}
              />
            ) : (
              <span class="quiet">none</span>
            ),
          ],
          [
            'User',
            value.externalUserId ? (
              <a href={href(`${base}/conversations`, { externalUserId: value.externalUserId })}>
                <Name value={value.externalUserId} />
              </a>
            ) : (
              <span class="quiet">unknown</span>
            ),
          ],
          ['Channel', <Name key="channel" value={value.channel} />],
          ['Created by', <Credential key="by" id={value.createdBy} />],
          [
            'Messages',
            `${value.messageCount.toLocaleString('en')} (user ${counts.user}, avatar ${counts.avatar}, system ${counts.system}, tool ${counts.tool})`,
          ],
          [
            'Tags',
            value.tags.length === 0 ? (
              <span class="quiet">none</span>
            ) : (
              <span class="row">
                {value.tags.map((tag) => (
                  <a key={tag} class="tag" href={href(`${base}/conversations`, { tag })}>
                    <Name value={tag} />
                  </a>
                ))}
              </span>
            ),
          ],
        ]}
      />
      <details>
        <summary>Ids and metadata</summary>
        <Facts
          facts={[
            ['Conversation', <Id key="id" value={value.id} />],
            ['Your id', <Name key="external" value={value.externalId} />],
            ...metadataFacts(value.metadata),
          ]}
        />
      </details>
    </>
  );
}
