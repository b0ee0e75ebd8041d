/** Collects the documents of a version while it is built. */

import type { DocumentHead } from '../store/document-lists.ts';
import type { PreparedDocument } from '../store/parts.ts';

export function documentList() {
  let heads: DocumentHead[] | undefined = [];
  return {
    add({ id, title, tags, content, continues }: PreparedDocument): void {
      if (continues) return;
      // Builds of older versions lack the hash, so a list of them would be wrong.
      if (content === undefined) heads = undefined;
      else heads?.push({ id, title, tags, content });
    },
    /** @returns the documents; undefined if the list would not be complete */
    heads: (): DocumentHead[] | undefined => heads,
  };
}
