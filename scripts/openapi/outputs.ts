/** The files that `npm run openapi` writes: the document, and what is made from it. */

import { openApiDocument } from './document.ts';
import { llmsText } from './llms.ts';
import { postmanCollection } from './postman.ts';
import type { Json } from './schemas.ts';

export type Output = {
  /** Below the root of the project. */
  file: string;
  /** @param document the OpenAPI document, as JSON has it */
  text: (document: Json) => string;
};

const outputs: readonly Output[] = [
  { file: 'openapi.json', text: indented },
  { file: 'llms.txt', text: llmsText },
  { file: 'postman.json', text: (document) => indented(postmanCollection(document)) },
];

/** @returns the text of each file */
export function writtenFiles(): { file: string; text: string }[] {
  // Through JSON, so that no output sees what the document does not have.
  const document = JSON.parse(JSON.stringify(openApiDocument())) as Json;
  return outputs.map(({ file, text }) => ({ file, text: text(document) }));
}

export function indented(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
