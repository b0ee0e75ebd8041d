/** The fields of a key, and the state of its revocation. */

import type { ApiKey } from '../../../../clients/typescript/src/index.ts';
import { Facts, Progress } from '../../shared/basics.tsx';
import { Id } from '../../shared/copy.tsx';
import { Credential } from '../../shared/credential.tsx';
import { ResourceLink } from '../../shared/links.tsx';
import { ProjectLinks } from '../../shared/project-link.tsx';
import { resourceName } from '../../shared/resource-names.ts';
import { Countdown, Time, TimeWithDate } from '../../shared/time.tsx';
import { perText } from './reach-fields.tsx';

export function KeyFacts({ value, onReload }: { value: ApiKey; onReload: () => void }) {
  const { previousSecretExpiresAt, rateLimit, projectIds, environments, allowedCidrs } = value;
  return (
    <>
      {previousSecretExpiresAt && Date.parse(previousSecretExpiresAt) > Date.now() && (
        <p class="notice">
          The key was rotated. The old secret is valid for{' '}
          <Countdown until={previousSecretExpiresAt} onEnd={onReload} />. Replace it everywhere before that.
        </p>
      )}
      <Facts
        facts={[
          ['Id', <Id value={value.id} />],
          ['Secret', <code>{value.hint}</code>],
          [
            'Last used',
            <>
              <Time at={value.lastUsedAt} /> {value.lastUsedFrom && <>from {value.lastUsedFrom}</>}
            </>,
          ],
          value.revokedAt
            ? ['Revoked', <Time at={value.revokedAt} />]
            : ['Expires', <TimeWithDate at={value.expiresAt} />],
          [
            'Created',
            <>
              <Time at={value.createdAt} /> by <Credential id={value.createdBy} />
            </>,
          ],
          ['Projects', <ProjectLinks ids={projectIds} />],
          ['Environments', environments?.join(', ') ?? 'all'],
          ['Addresses', allowedCidrs?.join(', ') ?? 'everywhere'],
          [
            'Limit',
            rateLimit ? `${rateLimit.requests} requests ${perText[rateLimit.per]}` : 'none of its own',
          ],
        ]}
      />
    </>
  );
}

const WebhookLink = ({ id }: { id: string }) => (
  <ResourceLink id={id} project={null} name={resourceName(id)} />
);

/** The keys and webhooks that a revocation with the keys below has ended so far. */
export function ChildrenRevocation({ value }: { value: ApiKey }) {
  const state = value.childrenRevocation;
  if (!state) return null;
  const { finishedAt, revoked, skipped, webhookIds } = state;
  return (
    <section class="card" aria-label="Revocation of the keys below" role="status">
      {finishedAt === null ? (
        <Progress value={undefined} label={`Revoking the keys below: ${revoked} so far`} />
      ) : (
        <p>
          The keys below were revoked <Time at={finishedAt} />: {revoked} keys.
        </p>
      )}
      {skipped > 0 && (
        <p>
          {skipped} keys stay active, because they have a scope that the revoking credential did not have.
        </p>
      )}
      {webhookIds.length > 0 && (
        <p>
          Disabled webhooks:{' '}
          {webhookIds.map((id) => (
            <span key={id}>
              <WebhookLink id={id} />{' '}
            </span>
          ))}
        </p>
      )}
    </section>
  );
}
