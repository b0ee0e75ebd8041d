/** A key in a list or in a tree. */

import type { ApiKey } from '../../../../clients/typescript/src/index.ts';
import { href } from '../../router.ts';
import { Badge } from '../../shared/basics.tsx';
import { Id } from '../../shared/copy.tsx';
import { Name } from '../../shared/text.tsx';
import { Time } from '../../shared/time.tsx';

/** @returns `2 scopes, 1 project` */
export const reachText = ({ scopes, projectIds }: Pick<ApiKey, 'scopes' | 'projectIds'>): string =>
  [
    countText(scopes.length, 'scope'),
    projectIds ? countText(projectIds.length, 'project') : 'all projects',
  ].join(', ');

const countText = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

export const KeyRow = ({ value }: { value: ApiKey }) => (
  <div class="row-grid key-row">
    <a class="main" href={href(`/keys/${value.id}`)}>
      <Name value={value.name} />
    </a>
    <span class="state">
      <Badge value={value.status} />
    </span>
    <span class="quiet reach">{reachText(value)}</span>
    <span class="quiet when">
      used <Time at={value.lastUsedAt} />
    </span>
    <span class="quiet when">
      {value.status === 'revoked' ? (
        <>
          revoked <Time at={value.revokedAt} />
        </>
      ) : (
        <>
          expires <Time at={value.expiresAt} />
        </>
      )}
    </span>
    <Id value={value.id} />
  </div>
);
