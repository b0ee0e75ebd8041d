/** An export as the API shows it, with links to its files. */

import type { Files } from '../../base/files.ts';
import { pagesOf } from '../../base/pages.ts';
import { minuteMs, secondMs, timestamp } from '../../base/time.ts';
import type { JobItem } from '../../jobs/job.ts';
import { type ExportPart, fileKey, type ProjectStore, pageParts, partNumber } from './files/store.ts';
import type { Export } from './schema.ts';
import { contentOf } from './store.ts';

/** A link works for this long, but not after the file's time. */
const linkMs = 15 * minuteMs;

type ShownPart = Export['parts'][number];

export async function showExport(
  store: ProjectStore,
  job: JobItem,
  { files, nowMs }: { files: Pick<Files, 'link'>; nowMs: number },
): Promise<Export> {
  const parts: ShownPart[] = [];
  for await (const page of pagesOf((after) => pageParts(store, { jobId: job.id, after }))) {
    const complete = page.filter(({ status }) => status === 'ready' || status === 'removed');
    parts.push(...(await Promise.all(complete.map((part) => showPart(part, files, nowMs)))));
  }
  const { id, type, status, error, createdAt } = job;
  const sum = (name: 'records' | 'bytes') => parts.reduce((total, part) => total + part[name], 0);
  const times = parts.filter((part) => part.status === 'ready').map(({ expiresAt }) => expiresAt);
  return {
    id,
    what: contentOf(type) ?? 'conversations',
    format: 'jsonl',
    status,
    counts: { records: sum('records'), parts: parts.length, bytes: sum('bytes') },
    parts,
    error,
    createdAt,
    expiresAt: times.sort().at(0) ?? null,
  };
}

async function showPart(part: ExportPart, files: Pick<Files, 'link'>, nowMs: number): Promise<ShownPart> {
  const { records, bytes, expiresAt, removedBecause = null } = part;
  const shared = { number: partNumber(part), removedBecause, records, bytes, expiresAt };
  const seconds = Math.floor(Math.min(linkMs, Date.parse(expiresAt) - nowMs) / secondMs);
  const noLink = { url: null, linkExpiresAt: null };
  if (part.status === 'removed') return { ...shared, status: 'removed', ...noLink };
  if (seconds < 1) return { ...shared, status: 'expired', ...noLink };
  const url = await files.link(fileKey(part), seconds);
  return { ...shared, status: 'ready', url, linkExpiresAt: timestamp(nowMs + seconds * secondMs) };
}
