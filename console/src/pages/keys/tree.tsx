/** The keys that a key created, with the keys that they created, and so on. Each level is loaded when it is opened. */

import type { ApiKey } from '../../../../clients/typescript/src/index.ts';
import { usePages } from '../../request/use-pages.ts';
import { platform } from '../../session/session.ts';
import { Loading } from '../../shared/basics.tsx';
import { Expander } from '../../shared/expander.tsx';
import { Problem } from '../../shared/problem.tsx';
import { KeyRow } from './row.tsx';

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
