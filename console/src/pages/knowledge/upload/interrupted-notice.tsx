/** After a reload in the middle of an upload: how to go on. */

import { useState } from 'preact/hooks';
import { Name } from '../../../parts/text.tsx';
import { forgetInterrupted, interruptedUpload } from './interrupted.ts';

export function InterruptedNotice({ project }: { project: string }) {
  const [found, setFound] = useState(() => interruptedUpload(project));
  if (!found) return null;
  return (
    <p class="notice panel" role="status">
      An upload to <Name value={found.source} /> was interrupted after {found.done.toLocaleString('en')} of{' '}
      {found.total.toLocaleString('en')} files. Choose the same files again: what has arrived is not sent
      again.{' '}
      <button
        type="button"
        class="link"
        onClick={() => {
          forgetInterrupted(project);
          setFound(undefined);
        }}
      >
        Dismiss
      </button>
    </p>
  );
}
