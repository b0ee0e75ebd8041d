/** The source of a document. Only the source changes the document, as long as the source exists. */

import {
  type KnowledgeDocument,
  type KnowledgeSource,
  NotFoundError,
} from '../../../../clients/typescript/src/index.ts';
import { useLoad } from '../../request/use-load.ts';
import { platform } from '../../session/session.ts';
import { ResourceLink } from '../../shared/links.tsx';

type Managing = { source: KnowledgeSource | undefined; isManaged: boolean };

/** @returns the source that has the document. Until it is loaded, the document counts as managed */
export function useManagingSource(project: string, { source }: KnowledgeDocument): Managing {
  const id = source !== null && /^src_[0-9A-Z]{26}$/.test(source) ? source : undefined;
  const { data, error } = useLoad(
    async (signal) => (id ? platform().projects(project).knowledge.sources.get(id, { signal }) : undefined),
    [project, id],
  );
  return { source: data, isManaged: id !== undefined && !(error instanceof NotFoundError) };
}

export const ManagedNotice = ({
  project,
  source,
}: {
  project: string;
  source: KnowledgeSource | undefined;
}) =>
  source && (
    <p class="notice panel">
      The source <ResourceLink id={source.id} project={project} name={source.url} /> keeps this document equal
      to its page. Only the source changes it.
    </p>
  );
