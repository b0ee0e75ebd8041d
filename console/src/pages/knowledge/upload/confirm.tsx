/** The dialog that lists the files of an upload before it starts. */

import { useState } from 'preact/hooks';
import { Dialog, Field } from '../../../shared/dialog.tsx';
import { tagsIn } from '../../../shared/form.tsx';
import { Name } from '../../../shared/text.tsx';
import type { Selection } from './selection.ts';
import type { Target } from './send-file.ts';
import type { InterruptedUpload } from './upload.ts';

type Props = {
  selection: Selection;
  lastUpload: InterruptedUpload | undefined;
  onUpload: (target: Target, isIndexed: boolean) => void;
  onClose: () => void;
};

const maxRows = 100;
/** The limits of the API. */
const maxTags = 20;
const maxTagLength = 40;

/** @returns why the API would refuse every file; empty if it would not */
function problemOf(tags: readonly string[]): string {
  if (tags.length > maxTags) return `A document has at most ${maxTags} tags.`;
  const longTag = tags.find((tag) => tag.length > maxTagLength);
  return longTag ? `A tag has at most ${maxTagLength} characters: ${longTag.slice(0, 60)}` : '';
}

export function ConfirmUpload({ selection, lastUpload, onUpload, onClose }: Props) {
  const { folder, files, leftOut } = selection;
  const [source, setSource] = useState(folder ?? lastUpload?.source ?? 'uploads');
  const [tags, setTags] = useState(lastUpload?.tags.join(', ') ?? '');
  const [isIndexed, setIsIndexed] = useState(true);
  const [firstFile] = files;
  return (
    <Dialog title="Upload to the knowledge" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onUpload({ source: source.trim(), tags: tagsIn(tags) }, isIndexed);
        }}
      >
        {firstFile ? (
          <p>
            {files.length === 1 ? (
              <Name value={firstFile.path} />
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
              {leftOut.slice(0, maxRows).map(({ path, reason }) => (
                <li key={path}>
                  <Name value={path} /> <span class="quiet">{reason}.</span>
                </li>
              ))}
              {leftOut.length > maxRows && <li class="quiet">and {leftOut.length - maxRows} more</li>}
            </ul>
          </details>
        )}
        {firstFile && (
          <>
            <Field
              label="Source"
              hint="The name of this folder in the project. An upload with the same source updates its documents."
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
              hint="With commas between them. Every file of this upload gets them, in place of its own tags. Without tags, existing documents keep their tags."
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
                checked={isIndexed}
                onChange={(event) => setIsIndexed(event.currentTarget.checked)}
              />
              Re-index afterwards, so that searches find the documents
            </label>
          </>
        )}
        <p class="row end">
          <button type="button" onClick={onClose}>
            {firstFile ? 'Cancel' : 'Close'}
          </button>
          {firstFile && (
            <button type="submit" class="primary">
              Upload
            </button>
          )}
        </p>
      </form>
    </Dialog>
  );
}
