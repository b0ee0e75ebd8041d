/** Files that try to take too much time or memory, or are not what they seem. Each ends with a text or a reason. */

import { hostileDocuments } from './hostile-docx.ts';
import type { HostileFile } from './hostile-file.ts';
import { hostilePdfs } from './hostile-pdfs.ts';
import { hostileTexts } from './hostile-texts.ts';

export const hostileFiles: readonly (HostileFile & { kind: string })[] = [
  ...hostilePdfs.map((file) => ({ kind: 'PDF', ...file })),
  ...hostileDocuments.map((file) => ({ kind: 'DOCX', ...file })),
  ...hostileTexts.map((file) => ({ kind: 'HTML and text', ...file })),
];
