/** A file of an upload, and where it goes. */

import type { Signal } from '@preact/signals';
import type { SelectedFile } from './selection.ts';

export type FileState = 'waiting' | 'sending' | 'extracting' | 'created' | 'updated' | 'unchanged' | 'failed';

export type UploadFile = SelectedFile & {
  /** The state is a signal, so that only the row of the file is drawn again. */
  state: Signal<FileState>;
  problem: Signal<string | undefined>;
  /** The share that was sent, from 0 to 1, of a file whose text the service extracts. */
  share: Signal<number>;
  /** The id of the document of such a file, until its text is there. */
  documentId: string | undefined;
  isNew: boolean;
};

/** The fields that all files of an upload share. */
export type Target = {
  source: string;
  /** Without tags, the documents keep their tags. */
  tags: readonly string[];
};
