/** What will be uploaded, before anything is sent. */

import { useState } from 'preact/hooks';
import { Dialog, Field } from '../../../parts/dialog.tsx';
import { Name } from '../../../parts/text.tsx';
import { tagsIn } from '../tags-in.ts';
import type { Chosen } from './chosen.ts';
import type { Interrupted } from './interrupted.ts';
import type { Target } from './upload.ts';

type Props = {
  chosen: Chosen;
  interrupted: Interrupted | undefined;
  onUpload: (target: Target, indexes: boolean) => void;
  onClose: () => void;
};

const shownFiles = 100;
/** The API's limits. */
const maxTags = 20;
const maxTagLength = 40;

/** @returns why the API would refuse every file; empty if it would not */
function problemOf(tags: readonly string[]): string {
  if (tags.length > maxTags) return `A document has at most ${maxTags} tags.`;
  const long = tags.find((tag) => tag.length > maxTagLength);
  return long ? `A tag has at most ${maxTagLength} characters: ${long.slice(0, 60)}` : '';
}

export function ConfirmUpload({ chosen, interrupted, onUpload, onClose }: Props) {
  const { folder, files, leftOut } = chosen;
  const [source, setSource] = useState(folder ?? interrupted?.source ?? 'uploads');
  const [tags, setTags] = useState(interrupted?.tags.join(', ') ?? '');
  const [indexes, setIndexes] = useState(true);
  const [first, ...others] = files;
  return (
    <Dialog title="Upload to the knowledge" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onUpload({ source: source.trim(), tags: tagsIn(tags) }, indexes);
        }}
      >
        {first ? (
          <p>
            {others.length === 0 ? (
              <Name value={first.path} />
            ) : (
              <strong>{files.length.toLocaleString('en')} files</strong>
            )}
            {folder && (
              <>
                {' '}
                of the folder <Name value={folder} />
              </>
            )}
            . Files that are already there with the same content are not sent.
          </p>
        ) : (
          <p>
            <strong>There is no file to upload.</strong>
          </p>
        )}
        {leftOut.length > 0 && (
          <details open={files.length === 0}>
            <summary>
              {leftOut.length.toLocaleString('en')} {leftOut.length === 1 ? 'file is' : 'files are'} left out
            </summary>
            <ul>
              {leftOut.slice(0, shownFiles).map(({ path, reason }) => (
                <li key={path}>
                  <Name value={path} /> <span class="quiet">{reason}.</span>
                </li>
              ))}
              {leftOut.length > shownFiles && <li class="quiet">and {leftOut.length - shownFiles} more</li>}
            </ul>
          </details>
        )}
        {first && (
          <>
            <Field
              label="Source"
              hint="Names this folder in the project. Upload with the same source to update the documents."
            >
              {(id) => (
                <input
                  id={id}
                  required
                  pattern=".*\S.*"
                  maxLength={255}
                  value={source}
                  onInput={(event) => setSource(event.currentTarget.value)}
                />
              )}
            </Field>
            <Field
              label="Tags"
              hint="With commas between them. Every file of this upload gets them, in place of its own. Without tags, documents that exist keep theirs."
            >
              {(id) => (
                <input
                  id={id}
                  value={tags}
                  onInput={({ currentTarget }) => {
                    setTags(currentTarget.value);
                    currentTarget.setCustomValidity(problemOf(tagsIn(currentTarget.value)));
                  }}
                />
              )}
            </Field>
            <label class="check">
              <input
                type="checkbox"
                checked={indexes}
                onChange={(event) => setIndexes(event.currentTarget.checked)}
              />
              Re-index afterwards, so that searches find the documents
            </label>
          </>
        )}
        <p class="row end">
          <button type="button" onClick={onClose}>
            {first ? 'Cancel' : 'Close'}
          </button>
          {first && (
            <button type="submit" class="primary">
              Upload
            </button>
          )}
        </p>
      </form>
    </Dialog>
  );
}
