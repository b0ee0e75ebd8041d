/** The tags and sources of documents. Endpoints that only filter by tag do not bundle the other schemas of documents. */

import { idPattern } from '../../base/ids.ts';
import { name } from '../../schema/text.ts';

export const tag = name(40).meta({ description: 'A label.', example: 'returns' });

const pattern = idPattern('knowledgeSource');

/** @returns whether a document with this `source` comes from a source of the project */
export const isSourceName = (source: string | null): source is string =>
  source !== null && pattern.test(source);
