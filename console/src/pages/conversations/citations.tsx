/** The documents that a message cites. */

import type { Citation } from '../../../../clients/typescript/src/index.ts';
import { href } from '../../router.ts';
import { can } from '../../session/session.ts';
import { Name } from '../../shared/text.tsx';

export function Citations({ project, citations }: { project: string; citations: readonly Citation[] }) {
  const mayOpen = can('knowledge:read');
  return (
    <ul class="citations" aria-label="Cited documents">
      {citations.map(({ documentId, title, snippet, page }, at) => (
        <li key={at}>
          {mayOpen ? (
            <a href={href(`/projects/${project}/knowledge/${documentId}`, { textPage: page })}>
              <Name value={title ?? documentId} />
            </a>
          ) : (
            <Name value={title ?? documentId} />
          )}
          {page != null && <span class="quiet"> page {page} </span>}
          {snippet && (
            <q class="quiet">
              <bdi>{snippet}</bdi>
            </q>
          )}
        </li>
      ))}
    </ul>
  );
}
