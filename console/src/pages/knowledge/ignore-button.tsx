/** Leaves a document out of the next index and of all warnings, or ends that. Both can be undone, so nothing asks first. */

import { announce } from '../../parts/announce.tsx';
import { Problem } from '../../parts/problem.tsx';
import { useAction } from '../../request/use-action.ts';
import { platform } from '../../session/session.ts';
import type { LoadedDocument } from './edit-document.tsx';

type Props = { project: string; loaded: LoadedDocument; set: (loaded: LoadedDocument) => void };

export function IgnoreButton({ project, loaded: { value }, set }: Props) {
  const change = useAction(async (ignored: boolean) => {
    const { documents } = platform().projects(project).knowledge;
    const { data, response } = await documents.update(value.id, { ignored }).withResponse();
    return { value: data, etag: response.headers.get('etag') };
  });
  const finish = (changed: LoadedDocument | undefined) => {
    if (!changed) return;
    announce(changed.value.ignored ? 'The next index leaves it out.' : 'The next index includes it.');
    set(changed);
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
