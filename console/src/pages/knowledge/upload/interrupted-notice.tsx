/** The notice after a reload in the middle of an upload. It says how to go on. */

import { useState } from 'preact/hooks';
import { Name } from '../../../shared/text.tsx';
import { forgetInterrupted, interruptedUpload } from './interrupted-upload.ts';

export function InterruptedNotice({ project }: { project: string }) {
  const [lastUpload, setLastUpload] = useState(() => interruptedUpload(project));
  if (!lastUpload) return null;
  return (
    <p class="notice panel" role="status">
      An upload to <Name value={lastUpload.source} /> was interrupted after{' '}
      {lastUpload.done.toLocaleString('en')} of {lastUpload.total.toLocaleString('en')} files. Choose the same
      files again: files that have arrived are not sent again.{' '}
      <button
        type="button"
        class="link"
        onClick={() => {
          forgetInterrupted(project);
          setLastUpload(undefined);
        }}
      >
        Dismiss
      </button>
    </p>
  );
}
