/** The OpenAPI document, and everything that is made from it. */

import { writtenFiles } from '../openapi/outputs.ts';

export const generate = writtenFiles;
