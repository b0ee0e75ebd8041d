/** The button that leaves a document out of the next index and of all warnings, or includes it again. It does not ask first. */

import { useAction } from '../../request/use-action.ts';
import { platform } from '../../session/session.ts';
import { announce } from '../../shared/announce.tsx';
import { Problem } from '../../shared/problem.tsx';
import type { VersionedDocument } from './edit-document.tsx';

type Props = { project: string; document: VersionedDocument; set: (document: VersionedDocument) => void };

export function IgnoreButton({ project, document: { value }, set }: Props) {
  const change = useAction(async (ignored: boolean) => {
    const { documents } = platform().projects(project).knowledge;
    const { data, response } = await documents.update(value.id, { ignored }).withResponse();
    return { value: data, etag: response.headers.get('etag') };
  });
  const finish = (result: VersionedDocument | undefined) => {
    if (!result) return;
    announce(
      result.value.ignored
        ? 'The next index leaves the document out.'
        : 'The next index includes the document.',
    );
    set(result);
  };
  return (
    <>
      <button
        type="button"
        disabled={change.isPending}
        onClick={async () => finish(await change.run(!value.ignored))}
      >
        {value.ignored ? 'Stop ignoring' : 'Ignore'}
      </button>
      <Problem error={change.error} onRepeat={async () => finish(await change.repeat())} />
    </>
  );
}
