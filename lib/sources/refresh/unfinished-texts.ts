/** Removes the parts of long texts whose refresh has ended before their documents were stored. */

import { pagesOf } from '../../base/pages.ts';
import { contents } from '../../documents/store/contents.ts';
import { removeTextParts } from '../../documents/store/text-parts.ts';
import type { WorkerInput } from '../../workers/worker.ts';
import { commitEach } from '../../workers/writes.ts';
import type { ProjectStore } from '../store/sources.ts';
import { endText, unfinishedTexts } from '../store/unfinished-texts.ts';

/** @returns the id of a text, which no other refresh writes. A repeated attempt writes the same parts again */
export const textIdOf = (jobId: string, contentHash: string): string => `${jobId}.${contentHash}`;

/** @param jobId a refresh that has ended; by default, all refreshes of the source have */
export async function removeUnfinishedTexts(
  store: ProjectStore,
  sourceId: string,
  input: Pick<WorkerInput, 'commit' | 'sleep'>,
  jobId?: string,
): Promise<void> {
  const texts = unfinishedTexts.at(store, sourceId);
  for await (const page of pagesOf((after) => texts.page({ after, limit: 100 }))) {
    for (const { id, textId } of page) {
      if (jobId !== undefined && !textId.startsWith(textIdOf(jobId, ''))) continue;
      const content = await contents.at(store).get(id);
      if (content?.more?.textId !== textId)
        for await (const writes of removeTextParts(store, id, textId)) await commitEach(input, writes);
      await commitEach(input, [endText(store, sourceId, id)]);
    }
  }
}
