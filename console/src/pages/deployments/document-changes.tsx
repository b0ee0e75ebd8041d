/** The documents that differ in two deployments. */

import { useState } from 'preact/hooks';
import type { DeploymentChange } from '../../../../clients/typescript/src/index.ts';
import { Badge, Loading } from '../../parts/basics.tsx';
import { Id } from '../../parts/copy.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Name } from '../../parts/text.tsx';
import { useLoad } from '../../request/use-load.ts';
import { href } from '../../router.ts';
import { can, platform } from '../../session/session.ts';

const tones: Readonly<Record<string, 'good' | 'busy' | 'bad'>> = {
  added: 'good',
  changed: 'busy',
  removed: 'bad',
};
const step = 50;

type Props = { project: string; from: string; to: string };

export function DocumentChanges({ project, from, to }: Props) {
  const [wanted, setWanted] = useState(step);
  const { data, error, isLoading, reload } = useLoad(
    (signal) => loadDocuments(project, from, to, wanted, signal),
    [project, from, to, wanted],
  );
  if (!data) return error ? <Problem error={error} onRepeat={reload} /> : <Loading />;
  const { documents, isKnown, isLast } = data;
  if (!isKnown)
    return <p class="quiet">Which documents differ is not known: an older version built an index.</p>;
  return (
    <>
      <ul class="plain" aria-label="Documents">
        {documents.map((one) => (
          <li key={one.id}>
            <Badge value={one.change} tone={tones[one.change] ?? 'busy'} />{' '}
            <Title project={project} one={one} /> <span class="quiet">{one.fields.join(', ')}</span>
          </li>
        ))}
      </ul>
      {!isLast && (
        <button type="button" disabled={isLoading} onClick={() => setWanted(wanted + step)}>
          Show more documents
        </button>
      )}
    </>
  );
}

/** A removed document has no page. */
function Title({ project, one }: { project: string; one: DeploymentChange }) {
  if (one.name === null) return <Id value={one.id} />;
  if (one.change === 'removed' || !can('knowledge:read')) return <Name value={one.name} />;
  return (
    <a href={href(`/projects/${project}/knowledge/${one.id}`)}>
      <Name value={one.name} />
    </a>
  );
}

/** The avatars come first in the list, and there are at most 200 of them. */
async function loadDocuments(
  project: string,
  since: string,
  id: string,
  wanted: number,
  signal: AbortSignal,
): Promise<{ documents: DeploymentChange[]; isKnown: boolean; isLast: boolean }> {
  const { deployments } = platform().projects(project);
  const documents: DeploymentChange[] = [];
  for await (const page of deployments.changes(id, { since, limit: 100 }, { signal }).pages()) {
    if (page.data.documents === 'unknown') return { documents: [], isKnown: false, isLast: true };
    documents.push(...page.items.filter(({ kind }) => kind === 'document'));
    if (documents.length > wanted) break;
  }
  return { documents: documents.slice(0, wanted), isKnown: true, isLast: documents.length <= wanted };
}
