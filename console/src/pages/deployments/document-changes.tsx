/** The documents that differ in two deployments. */

import { useState } from 'preact/hooks';
import type {
  DeploymentChange,
  DeploymentChangeList,
  Page,
} from '../../../../clients/typescript/src/index.ts';
import { useLoad } from '../../request/use-load.ts';
import { href } from '../../router.ts';
import { can, platform } from '../../session/session.ts';
import { Badge, Loading } from '../../shared/basics.tsx';
import { Id } from '../../shared/copy.tsx';
import { Problem } from '../../shared/problem.tsx';
import { Name } from '../../shared/text.tsx';

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
  const [request, setRequest] = useState<{ isLoading: boolean; error?: unknown }>({ isLoading: false });
  if (!data) return error ? <Problem error={error} onRepeat={reload} /> : <Loading />;
  const { documents, isKnown, lastPage } = data;
  if (!isKnown)
    return (
      <p class="quiet">
        It is not known which documents differ, because an older version of the service built an index.
      </p>
    );
  /** Goes on behind the last page, because a page of this list may be short. */
  const showMore = async () => {
    setRequest({ isLoading: true });
    try {
      const page = await lastPage.nextPage();
      const next = page && (await documentsFrom(page));
      if (next) set({ ...next, documents: [...documents, ...next.documents] });
      setRequest({ isLoading: false });
    } catch (failure) {
      setRequest({ isLoading: false, error: failure });
    }
  };
  return (
    <>
      <ul class="plain" aria-label="Documents">
        {documents.map((document) => (
          <li key={document.id}>
            <Badge value={document.change} tone={tones[document.change] ?? 'busy'} />{' '}
            <Title project={project} document={document} />{' '}
            <span class="quiet">{document.fields.join(', ')}</span>
          </li>
        ))}
      </ul>
      <Problem error={request.error} onRepeat={showMore} />
      {lastPage.hasNextPage() && (
        <button
          type="button"
          aria-disabled={request.isLoading}
          onClick={() => !request.isLoading && showMore()}
        >
          Show more documents
        </button>
      )}
    </>
  );
}

/** A removed document has no page. */
function Title({ project, document }: { project: string; document: DeploymentChange }) {
  const { id, name, change } = document;
  if (name === null) return <Id value={id} />;
  if (change === 'removed' || !can('knowledge:read')) return <Name value={name} />;
  return (
    <a href={href(`/projects/${project}/knowledge/${id}`)}>
      <Name value={name} />
    </a>
  );
}

type LoadedChanges = {
  documents: readonly DeploymentChange[];
  /** Whether the service knows which documents differ. */
  isKnown: boolean;
  lastPage: Page<DeploymentChangeList>;
};

/** The list has the avatars first, so a page may have no documents. @returns the first documents from a page on */
async function documentsFrom(firstPage: Page<DeploymentChangeList>): Promise<LoadedChanges> {
  let lastPage = firstPage;
  const documentsOf = () => lastPage.items.filter(({ kind }) => kind === 'document');
  while (documentsOf().length === 0) {
    const next = await lastPage.nextPage();
    if (!next) break;
    lastPage = next;
  }
  return { documents: documentsOf(), isKnown: lastPage.data.documents !== 'unknown', lastPage };
}
