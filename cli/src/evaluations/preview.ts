/** The scores of a preview, as the rows of a table. */

import type { EvaluateResult } from '../../../clients/typescript/src/index.ts';
import type { Columns } from '../output/table.ts';

type Previewed = NonNullable<EvaluateResult['preview']>;
type PreviewRow = Previewed[number]['scores'][number] & { conversationId: string };

export const previewRows = (preview: Previewed): PreviewRow[] =>
  preview.flatMap(({ conversationId, scores }) => scores.map((score) => ({ conversationId, ...score })));

/** The columns of a preview. A draft has no name. */
export const previewColumns: Columns<PreviewRow> = {
  conversation: ({ conversationId }) => conversationId,
  name: ({ name }) => name ?? '(draft)',
  value: ({ value, reason }) => (reason === null ? value : `unknown: ${reason}`),
  evidence: ({ evidence }) => evidence.map((seq) => `#${seq}`).join(' '),
  rationale: ({ rationale }) => rationale,
  cost: ({ costUsd }) => (costUsd === null ? null : `$${costUsd.toFixed(6)}`),
};
