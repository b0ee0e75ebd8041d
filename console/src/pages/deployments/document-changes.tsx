/** The documents that differ in two deployments. */

import { useState } from 'preact/hooks';
import type {
  DeploymentChange,
  DeploymentChangeList,
  Page,
} from '../../../../clients/typescript/src/index.ts';
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
type Props = { project: string; from: string; to: string };

export function DocumentChanges({ project, from, to }: Props) {
  const { data, error, reload, set } = useLoad(
    async (signal) => {
      const { deployments } = platform().projects(project);
      return documentsFrom(await deployments.changes(to, { since: from, limit: 100 }, { signal }));
    },
    [project, from, to],
  );
  const [more, setMore] = useState<{ isLoading: boolean; error?: unknown }>({ isLoading: false });
  if (!data) return error ? <Problem error={error} onRepeat={reload} /> : <Loading />;
  const { documents, isKnown, last } = data;
  if (!isKnown)
    return <p class="quiet">Which documents differ is not known: an older version built an index.</p>;
  /** Goes on behind the last page: a page of this list may be short. */
  const showMore = async () => {
    setMore({ isLoading: true });
    try {
      const page = await last.nextPage();
      const next = page && (await documentsFrom(page));
      if (next) set({ ...next, documents: [...documents, ...next.documents] });
      setMore({ isLoading: false });
    } catch (failure) {
      setMore({ isLoading: false, error: failure });
    }
  };
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
      <Problem error={more.error} onRepeat={showMore} />
      {last.hasNextPage() && (
        <button type="button" aria-disabled={more.isLoading} onClick={() => !more.isLoading && showMore()}>
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

type Loaded = {
  documents: readonly DeploymentChange[];
  /** Whether the service knows which documents differ. */
  isKnown: boolean;
  last: Page<DeploymentChangeList>;
};

/** The avatars come first in the list: a page may have no documents. @returns the first documents from a page on */
async function documentsFrom(first: Page<DeploymentChangeList>): Promise<Loaded> {
  let last = first;
  const documentsOf = () => last.items.filter(({ kind }) => kind === 'document');
  while (documentsOf().length === 0) {
    const next = await last.nextPage();
    if (!next) break;
    last = next;
  }
  return { documents: documentsOf(), isKnown: last.data.documents !== 'unknown', last };
}
