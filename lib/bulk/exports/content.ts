/** The type of an export's job, and the scope that reads its content. */

import { type JobType, scopeOf } from '../../jobs/types.ts';
import type { ExportContent } from './files/store.ts';

export const exportJobTypes = {
  conversations: 'conversations.export',
  documents: 'knowledge.export',
  audit: 'audit.export',
} as const satisfies Record<ExportContent, JobType>;

export const exportJobs = Object.values(exportJobTypes);
export type ExportJob = (typeof exportJobs)[number];

export const contentOf = (type: JobType): ExportContent | undefined =>
  (Object.keys(exportJobTypes) as ExportContent[]).find((what) => exportJobTypes[what] === type);

export const exportScopes = Object.values(exportJobTypes).map((type) => scopeOf({ type }, 'read'));
