/** This schema has its own file, so that endpoints that only filter by tag do not bundle the schemas of documents. */

import { name } from '../../schema/text.ts';

export const tag = name(40).meta({ description: 'A label.', example: 'returns' });
