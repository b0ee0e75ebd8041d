/** What will be uploaded, before anything is sent. */

import { useState } from 'preact/hooks';
import { Dialog, Field } from '../../../parts/dialog.tsx';
import { Name } from '../../../parts/text.tsx';
import type { Chosen } from './chosen.ts';

type Props = {
  chosen: Chosen;
  /** Of the upload that was interrupted. */
  suggested: string | undefined;
  onUpload: (source: string, indexes: boolean) => void;
  onClose: () => void;
};

const shownFiles = 100;

export function ConfirmUpload({ chosen: { folder, files, leftOut }, suggested, onUpload, onClose }: Props) {
  const [source, setSource] = useState(folder ?? suggested ?? 'uploads');
  const [indexes, setIndexes] = useState(true);
  const [first, ...others] = files;
  return (
    <Dialog title="Upload to the knowledge" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onUpload(source.trim(), indexes);
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
