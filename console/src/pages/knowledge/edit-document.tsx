/** Changes the title and the tags of a document. A change by somebody else is shown beside the form, which keeps its texts. */

import { useState } from 'preact/hooks';
import { type KnowledgeDocument, VersionMismatchError } from '../../../../clients/typescript/src/index.ts';
import { useAction } from '../../request/use-action.ts';
import { platform } from '../../session/session.ts';
import { Dialog, Field } from '../../shared/dialog.tsx';
import { tagsIn } from '../../shared/form.tsx';
import { Problem } from '../../shared/problem.tsx';
import { Name } from '../../shared/text.tsx';

/** A document with the ETag of its version. */
export type VersionedDocument = { value: KnowledgeDocument; etag: string | null };

type Props = {
  project: string;
  document: VersionedDocument;
  onSaved: (document: VersionedDocument) => void;
  /** It is called to load the version of somebody else. */
  onReload: () => void;
  onClose: () => void;
};

export function EditDocument({ project, document, onSaved, onReload, onClose }: Props) {
  const { value, etag } = document;
  const [title, setTitle] = useState(value.title);
  const [tags, setTags] = useState(value.tags.join(', '));
  const save = useAction((input: { title: string; tags: string[]; ifMatch: string | null }) => {
    const { ifMatch, ...fields } = input;
    return platform()
      .projects(project)
      .knowledge.documents.update(value.id, fields, { ifMatch })
      .withResponse();
  });
  type Saved = Awaited<ReturnType<typeof save.run>>;
  const finish = (result: Saved) => {
    if (result) onSaved({ value: result.data, etag: result.response.headers.get('etag') });
  };
  const isConflict = save.error instanceof VersionMismatchError;
  return (
    <Dialog title="Edit the document" onClose={onClose}>
      <form
        onSubmit={async (event) => {
          event.preventDefault();
          finish(await save.run({ title, tags: tagsIn(tags), ifMatch: etag }));
        }}
      >
        <Field label="Title">
          {(id) => (
            <input
              id={id}
              required
              maxLength={200}
              value={title}
              onInput={(event) => setTitle(event.currentTarget.value)}
            />
          )}
        </Field>
        <Field label="Tags" hint="With commas between them. At most 20.">
          {(id) => <input id={id} value={tags} onInput={(event) => setTags(event.currentTarget.value)} />}
        </Field>
        <p class="quiet">
          After a change, searches find the new title and tags when the document is re-indexed.
        </p>
        {isConflict ? (
          <Conflict
            value={value}
            onReload={() => {
              save.reset();
              onReload();
            }}
          />
        ) : (
          <Problem error={save.error} onRepeat={async () => finish(await save.repeat())} />
        )}
        <StoredVersion etag={etag} value={value} title={title} tags={tagsIn(tags)} />
        <p class="row end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={save.isPending || isConflict}>
            Save
          </button>
        </p>
      </form>
    </Dialog>
  );
}

function Conflict({ value, onReload }: { value: KnowledgeDocument; onReload: () => void }) {
  return (
    <div class="problem" role="alert">
      <strong>Somebody else changed the document</strong>
      <p>
        Nothing was saved. You edited the version titled <Name value={value.title} />.
      </p>
      <button type="button" onClick={onReload}>
        Load their version, and keep what I typed
      </button>
    </div>
  );
}

type StoredVersionProps = {
  etag: string | null;
  value: KnowledgeDocument;
  title: string;
  tags: readonly string[];
};

/** A table of the stored and the typed values, if the stored version has changed since the dialog was opened. */
function StoredVersion({ etag, value, title, tags }: StoredVersionProps) {
  const [firstEtag] = useState(etag);
  if (firstEtag === etag) return null;
  return (
    <table class="theirs">
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Stored now</th>
          <th scope="col">Yours</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">Title</th>
          <td>
            <Name value={value.title} />
          </td>
          <td>
            <Name value={title} />
          </td>
        </tr>
        <tr>
          <th scope="row">Tags</th>
          <td>
            <Name value={value.tags.join(', ')} none="none" />
          </td>
          <td>
            <Name value={tags.join(', ')} none="none" />
          </td>
        </tr>
      </tbody>
    </table>
  );
}
