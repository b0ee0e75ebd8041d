/** The OpenAPI document, and what is made from it. */

import { writtenFiles } from '../openapi/outputs.ts';

export const generate = writtenFiles;
