/** The start of an upload: the area on which a user drops files and folders, and the notice of an upload that was interrupted. */

import { useEffect, useRef, useState } from 'preact/hooks';
import { documentExtensions } from '../../../../../clients/typescript/src/helpers/document-files.ts';
import { Name } from '../../../shared/text.tsx';
import { useDrop } from '../../../shared/use-drop.ts';
import { type Selection, selectionOf, selectionOfDrop } from './selection.ts';
import { forgetInterrupted, interruptedUpload, upload } from './upload.ts';

type Props = { onChoose: (selection: Selection) => void };

export function DropZone({ onChoose }: Props) {
  const isBusy = upload.value?.isRunning.value === true;
  const { isOver, listeners } = useDrop(
    async (transfer) => onChoose(await selectionOfDrop(transfer)),
    isBusy,
  );
  return (
    <section class={`drop${isOver ? ' over' : ''}`} aria-label="Upload" {...listeners}>
      <span>Drop files or a folder here, or</span>
      <PickButton label="Choose files" isFolder={false} isBusy={isBusy} onChoose={onChoose} />
      <PickButton label="Choose a folder" isFolder isBusy={isBusy} onChoose={onChoose} />
      <small class="quiet">{documentExtensions.join(', ')}. At most 25 MB each.</small>
    </section>
  );
}

type PickProps = Props & { label: string; isFolder: boolean; isBusy: boolean };

function PickButton({ label, isFolder, isBusy, onChoose }: PickProps) {
  const ref = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (ref.current) ref.current.webkitdirectory = isFolder;
  }, [isFolder]);
  return (
    <>
      <button type="button" disabled={isBusy} onClick={() => ref.current?.click()}>
        {label}
      </button>
      <input
        ref={ref}
        hidden
        type="file"
        multiple
        accept={isFolder ? undefined : documentExtensions.join(',')}
        aria-label={label}
        onChange={({ currentTarget }) => {
          if (currentTarget.files?.length) onChoose(selectionOf(currentTarget.files));
          // The same folder may be chosen again.
          currentTarget.value = '';
        }}
      />
    </>
  );
}

/** The notice after a reload in the middle of an upload. It says how to go on. */
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
