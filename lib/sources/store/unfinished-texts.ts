/**
 * Long texts that a refresh is writing. Their parts come before their document, in other transactions. So each is noted before, and the
 * note goes with the transaction of the document. A note that is left says which parts belong to nothing.
 */

import { projectCollection, type Stored } from '../../dynamodb/collection.ts';
import type { ProjectStore } from '../../dynamodb/store.ts';
import type { Write } from '../../dynamodb/write.ts';

/** Its id is that of the document. */
type UnfinishedText = Stored<{ id: string; textId: string }>;

export const unfinishedTexts = projectCollection<UnfinishedText, [sourceId: string]>(
  'knowledge',
  (sourceId) => [sourceId, 'texts'],
);

export const noteText = (
  store: ProjectStore,
  sourceId: string,
  text: Pick<UnfinishedText, 'id' | 'textId'>,
): Write<never> => unfinishedTexts.at(store, sourceId).put(text, { condition: { kind: 'any' } });

export const endText = (store: ProjectStore, sourceId: string, documentId: string): Write<never> =>
  unfinishedTexts.at(store, sourceId).remove(documentId, { condition: { kind: 'any' } });
