/** The files that `npm run generate` writes: the document, and everything that is made from it. */

import { clientFiles } from './client.ts';
import { openApiDocument } from './document.ts';
import { type Examples, storedExamples } from './examples.ts';
import { llmsText } from './llms.ts';
import { withReadableNull } from './nullable.ts';
import { pythonFiles } from './python.ts';
import type { Json } from './schemas.ts';
import { sizesText } from './sizes.ts';

/**
 * @param examples default: those that openapi.json has
 * @returns the text of each file by its path, relative to the root
 */
export function writtenFiles(examples: Examples = storedExamples()): Record<string, string> {
  // Through JSON, so that every output sees only values that the document has.
  const document = JSON.parse(JSON.stringify(openApiDocument(examples))) as Json;
  return {
    'openapi.json': indented(withReadableNull(document)),
    'llms.txt': llmsText(document),
    'docs/sizes.md': sizesText(document),
    ...clientFiles(document),
    ...pythonFiles(document),
  };
}

const indented = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
