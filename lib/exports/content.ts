/** The type of an export's job, and the scope that reads its content. */

import type { ExportContent } from '../export-parts/store.ts';
import type { Job } from '../jobs/schema.ts';

export const exportJobTypes = {
  conversations: 'conversations.export',
  documents: 'knowledge.export',
  audit: 'audit.export',
} as const satisfies Record<ExportContent, Job['type']>;

/** @returns what a job of this type exports; undefined if it is no export */
export const contentOf = (type: Job['type']): ExportContent | undefined =>
  (Object.keys(exportJobTypes) as ExportContent[]).find((what) => exportJobTypes[what] === type);
