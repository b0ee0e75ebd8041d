/** The OpenAPI document with the examples that it has already, and everything that is made from it: quick, without a database. */

import { writtenFiles } from '../openapi/outputs.ts';
import type { Files } from './files.ts';

export const generate = (): Files => writtenFiles();
