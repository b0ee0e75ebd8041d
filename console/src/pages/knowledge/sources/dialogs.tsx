/** The dialogs that create a source, change it, or let a refresh remove many documents. */

import type { Job, KnowledgeSource } from '../../../../../clients/typescript/src/index.ts';
import { useAction } from '../../../request/use-action.ts';
import { navigate } from '../../../router.ts';
import { platform } from '../../../session/session.ts';
import { countText } from '../../../shared/amounts.ts';
import { Confirm, Dialog } from '../../../shared/dialog.tsx';
import { Problem } from '../../../shared/problem.tsx';
import { change, emptyDraft, type SourceDraft, SourceForm } from './form.tsx';

export function CreateSource({ project, onClose }: { project: string; onClose: () => void }) {
  const { sources } = platform().projects(project).knowledge;
  const create = useAction((draft: SourceDraft, options) => sources.create(draft, options));
  const finish = async (source: KnowledgeSource | undefined) => {
    if (source) navigate(`/projects/${project}/knowledge/sources/${source.id}`);
  };
  return (
    <Dialog title="New source" onClose={onClose}>
      <SourceForm
        draft={emptyDraft}
        isNew
        action="Create"
        isPending={create.isPending}
        onSubmit={async (draft) => finish(await create.run(draft))}
        onClose={onClose}
      >
        <Problem error={create.error} onRepeat={async () => finish(await create.repeat())} />
      </SourceForm>
    </Dialog>
  );
}

type Props = { project: string; source: KnowledgeSource; onClose: () => void };

export function EditSource({
  project,
  source,
  onSaved,
  onClose,
}: Props & { onSaved: (source: KnowledgeSource) => void }) {
  const { sources } = platform().projects(project).knowledge;
  const save = useAction((draft: SourceDraft) => {
    const changes = change(source, draft);
    return changes ? sources.update(source.id, changes) : Promise.resolve(source);
  });
  const finish = (result: KnowledgeSource | undefined) => result && onSaved(result);
  return (
    <Dialog title="Edit the source" onClose={onClose}>
      <SourceForm
        draft={source}
        isNew={false}
        action="Save"
        isPending={save.isPending}
        onSubmit={async (draft) => finish(await save.run(draft))}
        onClose={onClose}
      >
        <p class="quiet">Your credential then refreshes it, if the URL or the addresses change.</p>
        <Problem error={save.error} onRepeat={async () => finish(await save.repeat())} />
      </SourceForm>
    </Dialog>
  );
}

/** Asks whether a refresh may remove more than half of the documents. */
export function ConfirmRemoval({
  project,
  source,
  onStarted,
  onClose,
}: Props & { onStarted: (job: Job) => void }) {
  const { sources } = platform().projects(project).knowledge;
  const refresh = useAction((_: null, options) => sources.refresh(source.id, { confirm: true }, options));
  const finish = (job: Job | undefined) => job && onStarted(job);
  const { unconfirmed = 0, pages = 0 } = source.lastRefresh ?? {};
  return (
    <Confirm
      title="Remove the documents whose pages are gone?"
      action="Refresh and remove"
      isPending={refresh.isPending}
      error={refresh.error}
      onConfirm={async () => finish(await refresh.run(null))}
      onRepeat={async () => finish(await refresh.repeat())}
      onClose={onClose}
    >
      <p>
        The last refresh found {countText(pages, 'page')}. It would have removed{' '}
        <strong>{countText(unconfirmed, 'document')}</strong>, more than half of the documents of this source:
        their pages are gone, or show or redirect to another page.
      </p>
      <p>
        A new refresh requests all pages again, and removes the documents whose pages are still gone. If the
        site is only broken for a while, wait instead.
      </p>
    </Confirm>
  );
}
