/** Whether the `source` of a document names a source of the project. */

import { idPattern } from '../../base/ids.ts';

const pattern = idPattern('knowledgeSource');

/** @returns whether a document with this `source` comes from a source of the project */
export const isSourceName = (source: string | null): source is string =>
  source !== null && pattern.test(source);
