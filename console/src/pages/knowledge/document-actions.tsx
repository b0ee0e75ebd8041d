/** The actions on a document: deleting it, and leaving it out of the index. */

import { useState } from 'preact/hooks';
import { VersionMismatchError } from '../../../../clients/typescript/src/index.ts';
import { useAction } from '../../request/use-action.ts';
import { navigate } from '../../router.ts';
import { isArchived, platform } from '../../session/session.ts';
import { announce } from '../../shared/basics.tsx';
import { Confirm } from '../../shared/dialog.tsx';
import { Problem } from '../../shared/problem.tsx';
import { Name } from '../../shared/text.tsx';
import type { VersionedDocument } from './edit-document.tsx';

type Props = {
  project: string;
  document: VersionedDocument;
  /** Whether a source has the document. */
  isManaged: boolean;
  onClose: () => void;
};

export function DeleteDocument({ project, document: { value, etag }, isManaged, onClose }: Props) {
  // In an archived project, the service removes texts, and nothing else. A source would bring the document back.
  const isOnlyExpunge = isArchived.value || isManaged;
  const [expunges, setExpunges] = useState(isOnlyExpunge);
  const remove = useAction((input: { expunges: boolean; ifMatch: string | null }) => {
    const { documents } = platform().projects(project).knowledge;
    const query = input.expunges ? { expunge: true } : {};
    return documents.delete(value.id, query, { ifMatch: input.ifMatch });
  });
  const finish = (result: Awaited<ReturnType<typeof remove.run>>) => {
    if (!result) return;
    const isJob = 'progress' in result;
    navigate(`/projects/${project}/knowledge`, { expunge: isJob ? result.id : undefined });
  };
  // Somebody has changed the document since it was loaded. A second confirmation deletes the newer version.
  const isChanged = remove.error instanceof VersionMismatchError;
  return (
    <Confirm
      title="Delete the document"
      action={expunges ? 'Delete everywhere' : 'Delete'}
      phrase={expunges ? value.id.slice(-6) : undefined}
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={async () => finish(await remove.run({ expunges, ifMatch: isChanged ? null : etag }))}
      onRepeat={async () =>
        finish(isChanged ? await remove.run({ expunges, ifMatch: null }) : await remove.repeat())
      }
      onClose={onClose}
    >
      <p>
        <strong>
          <Name value={value.title} />
        </strong>{' '}
        is deleted. Searches find it until the next re-index, and environments serve it until their next
        deployment.
      </p>
      {isManaged && <p>Its source then leaves out its page. Later refreshes do not bring it back.</p>}
      {isChanged && (
        <p>
          <strong>Somebody has changed it since you opened it.</strong> Confirm again to delete the changed
          document.
        </p>
      )}
      <label class="check">
        <input
          type="checkbox"
          checked={expunges}
          disabled={isOnlyExpunge}
          onChange={(event) => setExpunges(event.currentTarget.checked)}
        />
        Also remove its text from all index versions now, in every environment. Nobody can bring it back.
      </label>
    </Confirm>
  );
}

type IgnoreButtonProps = {
  project: string;
  document: VersionedDocument;
  set: (document: VersionedDocument) => void;
};

/** The button that leaves a document out of the next index and of all warnings, or includes it again. It does not ask first. */
export function IgnoreButton({ project, document: { value }, set }: IgnoreButtonProps) {
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
