/** A tag of documents. Endpoints that only filter by tag do not bundle the other schemas of documents. */

import { name } from '../../schema/text.ts';

export const tag = name(40).meta({ description: 'A label.', example: 'returns' });
