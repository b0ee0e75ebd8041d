/** The fields of metadata by which a search can filter: a setting of the project. */

import { useState } from 'preact/hooks';
import { useAction } from '../../request/use-action.ts';
import { useLoad } from '../../request/use-load.ts';
import { can, mayChange, platform } from '../../session/session.ts';
import { Dialog } from '../../shared/dialog.tsx';
import { detailsOf, FormEnd, FormField, messagesAt, tagsIn } from '../../shared/form.tsx';
import { Problem } from '../../shared/problem.tsx';
import { Name } from '../../shared/text.tsx';

/** @param onChange is called when the fields have changed: then all documents are pending */
export function SearchFields({ project, onChange }: { project: string; onChange: () => void }) {
  const loaded = useLoad(
    async (signal) =>
      can('projects:read') ? (await platform().projects.get(project, { signal })).settings : undefined,
    [project],
  );
  const [isOpen, setIsOpen] = useState(false);
  const { data, error, reload } = loaded;
  const close = (isChanged: boolean) => {
    setIsOpen(false);
    if (!isChanged) return;
    reload();
    onChange();
  };
  return (
    <>
      <Problem error={error} onRepeat={reload} />
      {data && (
        <p class="row">
          Metadata to filter by: <Name value={data.searchFields.join(', ')} none="none" />
          {mayChange('projects:write') && (
            <button type="button" onClick={() => setIsOpen(true)}>
              Change the fields
            </button>
          )}
        </p>
      )}
      {data && isOpen && <Change project={project} fields={data.searchFields} onClose={close} />}
    </>
  );
}

type Props = { project: string; fields: readonly string[]; onClose: (isChanged: boolean) => void };

function Change({ project, fields, onClose }: Props) {
  const [text, setText] = useState(fields.join(', '));
  const change = useAction((searchFields: string[]) =>
    platform().projects.update(project, { settings: { searchFields } }),
  );
  const finish = (saved: unknown) => {
    if (saved) onClose(true);
  };
  const path = ['settings', 'searchFields'];
  return (
    <Dialog title="Metadata to filter by" onClose={() => onClose(false)}>
      <form
        onSubmit={async (event) => {
          event.preventDefault();
          finish(await change.run(tagsIn(text)));
        }}
      >
        <FormField
          label="Fields"
          hint="At most ten names, with commas. Then re-index: all documents are pending until a version has the fields."
          messages={messagesAt(detailsOf(change.error), path)}
        >
          {(control) => (
            <input
              {...control}
              value={text}
              spellcheck={false}
              placeholder="country, product"
              onInput={(event) => setText(event.currentTarget.value)}
            />
          )}
        </FormField>
        <Problem error={change.error} onRepeat={async () => finish(await change.repeat())} />
        <FormEnd action="Save" isPending={change.isPending} onClose={() => onClose(false)} />
      </form>
    </Dialog>
  );
}
