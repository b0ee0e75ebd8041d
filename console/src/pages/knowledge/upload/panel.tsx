/** The progress of an upload, file by file. */

import { useState } from 'preact/hooks';
import { sizeOf } from '../../../shared/amounts.ts';
import { Badge, Progress } from '../../../shared/basics.tsx';
import { Problem } from '../../../shared/problem.tsx';
import { Name } from '../../../shared/text.tsx';
import type { UploadFile } from './send-file.ts';
import { closeUpload, stopUpload, type Upload } from './upload.ts';

const tones = {
  waiting: 'quiet',
  sending: 'busy',
  extracting: 'busy',
  created: 'good',
  updated: 'good',
  unchanged: 'quiet',
  failed: 'bad',
} as const;

const number = (value: number) => value.toLocaleString('en');

/** @param onResume sends the files that have not arrived */
export function UploadPanel({ upload, onResume }: { upload: Upload; onResume: () => void }) {
  const { source, files, isRunning, done, failed, error } = upload;
  const isWhole = done.value === files.length;
  const failures = failed.value > 0 ? `, ${number(failed.value)} failed` : '';
  const label = `${number(done.value)} of ${number(files.length)} files${failures}`;
  return (
    <section class="card panel" aria-label="Progress of the upload">
      <div class="head">
        <h2>
          {isRunning.value ? 'Uploading to' : isWhole ? 'Uploaded to' : 'Stopped uploading to'}{' '}
          <Name value={source} />
        </h2>
        <span class="row">
          {isRunning.value && (
            <button type="button" class="small" onClick={stopUpload}>
              Stop
            </button>
          )}
          {!isRunning.value && (!isWhole || failed.value > 0) && (
            <button type="button" class="small" onClick={onResume}>
              {isWhole ? 'Send the failed files again' : 'Resume'}
            </button>
          )}
          {!isRunning.value && (
            <button type="button" class="small" onClick={closeUpload}>
              Close
            </button>
          )}
        </span>
      </div>
      <Progress label={label} value={files.length === 0 ? 1 : done.value / files.length} />
      <Problem error={error.value} onRepeat={onResume} />
      <FileList files={files} failed={isRunning.value ? 0 : failed.value} />
    </section>
  );
}

/** A longer list begins closed. */
const openFiles = 30;

/** @param failed the number of failed files, which are shown first; 0 while the upload runs */
function FileList({ files, failed }: { files: readonly UploadFile[]; failed: number }) {
  const [onlyFailed, setOnlyFailed] = useState(false);
  const [isOpen, setIsOpen] = useState(files.length <= openFiles);
  // `peek` does not draw the list again: each row follows its state by itself.
  const hasFailed = ({ state }: UploadFile) => state.peek() === 'failed';
  const failedFiles = failed > 0 ? files.filter(hasFailed) : [];
  const otherFiles = failed > 0 ? files.filter((file) => !hasFailed(file)) : files;
  const visibleFiles = onlyFailed && failed > 0 ? failedFiles : [...failedFiles, ...otherFiles];
  return (
    <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>Files</summary>
      {failed > 0 && (
        <label class="check">
          <input
            type="checkbox"
            checked={onlyFailed}
            onChange={(event) => setOnlyFailed(event.currentTarget.checked)}
          />
          Only failed files
        </label>
      )}
      {isOpen && (
        <ul class="list upload-files" aria-label="Files of the upload" tabIndex={0}>
          {visibleFiles.map((file) => (
            <FileRow key={file.path} file={file} />
          ))}
        </ul>
      )}
    </details>
  );
}

/** Only the row whose state changes is drawn again. */
const FileRow = ({ file: { path, file, state, problem, share } }: { file: UploadFile }) => (
  <li class="row">
    <Badge value={state.value} tone={tones[state.value]} />
    <span class="main">
      <Name value={path} />
      {problem.value && (
        <span class="bad">
          {' '}
          <Name value={problem.value} />
        </span>
      )}
    </span>
    {state.value === 'sending' && share.value > 0 && (
      <progress aria-label={`Sent of ${path}`} value={share.value} max={1} />
    )}
    <span class="quiet">{sizeOf(file.size)}</span>
  </li>
);
