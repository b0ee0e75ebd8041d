/** A key in a list, and the tree of the keys below it. */

import type { ApiKey } from '../../../../clients/typescript/src/index.ts';
import { usePages } from '../../request/use-pages.ts';
import { href } from '../../router.ts';
import { platform } from '../../session/session.ts';
import { countText } from '../../shared/amounts.ts';
import { Badge, Expander, Loading } from '../../shared/basics.tsx';
import { Id } from '../../shared/copy.tsx';
import { Problem } from '../../shared/problem.tsx';
import { Name } from '../../shared/text.tsx';
import { Time } from '../../shared/time.tsx';

/** @returns `2 scopes, 1 project` */
export const reachText = ({ scopes, projectIds }: Pick<ApiKey, 'scopes' | 'projectIds'>): string =>
  [
    countText(scopes.length, 'scope'),
    projectIds ? countText(projectIds.length, 'project') : 'all projects',
  ].join(', ');

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

/** The keys that a key created, with the keys that they created, and so on. Each level is loaded when it is opened. */
export function KeyTree({ id, depth = 1 }: { id: string; depth?: number }) {
  const list = usePages<ApiKey>(
    `below-${id.slice(-6)}`,
    (signal) => platform().apiKeys.list({ limit: 50, createdBy: id }, { signal }),
    [id],
  );
  const keys = list.pages.flat();
  return (
    <>
      {keys.length > 0 && (
        <ul class="tree" aria-label={depth === 1 ? 'Keys that this key created' : `Level ${depth}`}>
          {keys.map((key) => (
            <li key={key.id}>
              <KeyRow value={key} />
              {key.scopes.includes('api-keys:write') && (
                <Expander summary={`Keys that ${key.name.slice(0, 60)} created`}>
                  {() => <KeyTree id={key.id} depth={depth + 1} />}
                </Expander>
              )}
            </li>
          ))}
        </ul>
      )}
      {list.isLast && keys.length === 0 && <p class="quiet">This key has created no key that you may see.</p>}
      <Problem error={list.error} onRepeat={list.loadMore} />
      {list.isLoading && <Loading />}
      {!list.isLoading && list.isLast === false && (
        <button type="button" class="small" onClick={list.loadMore}>
          Show more
        </button>
      )}
    </>
  );
}
