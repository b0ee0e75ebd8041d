/** By itself: an endpoint that only filters by tags does without the models of documents. */

import { name } from '../../schema/text.ts';

export const tag = name(40).meta({ example: 'returns' });
