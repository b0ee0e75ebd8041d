/** Files that try to take too much time or memory, or are not what they seem. Each ends with a text or a reason. */

import type { ExtractionCode } from '../../lib/readers/types.ts';
import { hostileDocuments } from './hostile-docx.ts';
import { hostilePdfs } from './hostile-pdfs.ts';
import { hostileTexts } from './hostile-texts.ts';

export type HostileFile = {
  name: string;
  make(): Uint8Array;
  /** How the extraction may end. Limits of time and memory may end it earlier on a slow machine. */
  ends: readonly ('done' | ExtractionCode)[];
  /** It takes seconds. */
  isSlow?: true;
};

export const hostileFiles: readonly (HostileFile & { kind: string })[] = [
  ...hostilePdfs.map((file) => ({ kind: 'PDF', ...file })),
  ...hostileDocuments.map((file) => ({ kind: 'DOCX', ...file })),
  ...hostileTexts.map((file) => ({ kind: 'HTML and text', ...file })),
];
