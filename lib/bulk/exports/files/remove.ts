/**
 * Removes files of exports. An export checks that nothing of a part was erased, and writes the file within the time of
 * lib/runtime/fence.ts. So a removal of parts after that time, when the erasure has taken effect, also removes the last file that
 * may contain erased data.
 */

import { again, retry } from '../../../base/retry.ts';
import { checkTurn } from '../../../workers/turn.ts';
import type { WorkerInput } from '../../../workers/worker.ts';
import { commitPatiently } from '../../../workers/writes.ts';
import {
  type ExportContent,
  type ExportPart,
  endPart,
  fileKey,
  getPart,
  type ProjectStore,
  pageParts,
  type RemovalReason,
  removePart,
} from './store.ts';

type Input = Pick<WorkerInput, 'commit' | 'sleep' | 'files' | 'turn'>;

const mayHaveFile = ({ status }: ExportPart): boolean => status === 'begun' || status === 'ready';

async function* partsOf(store: ProjectStore, jobId?: string): AsyncGenerator<ExportPart> {
  for (let after: string | undefined; ; ) {
    const { items, next } = await pageParts(store, { ...(jobId !== undefined && { jobId }), after });
    yield* items;
    if (next === null) return;
    after = next;
  }
}

/**
 * Removes the files of the project's parts with this content that `contains` names. Their items say why.
 * @throws TurnOver. The next turn does not find the parts that are done
 */
export async function removeContaining(
  store: ProjectStore,
  what: ExportContent,
  contains: (part: ExportPart) => boolean,
  reason: RemovalReason,
  input: Input,
): Promise<void> {
  for await (const part of partsOf(store)) {
    if (part.what !== what || !mayHaveFile(part) || !contains(part)) continue;
    await end(store, part, reason, input);
    checkTurn(input);
  }
}

/** Removes the files of the parts that may contain this conversation or document. */
export const removePartsWithRecord = (
  store: ProjectStore,
  what: ExportContent,
  id: string,
  reason: RemovalReason,
  input: Input,
): Promise<void> =>
  removeContaining(store, what, ({ first, last }) => first <= id && id <= last, reason, input);

/** The item is changed after the file is gone, so a run that is killed in between is repeated. */
async function end(
  store: ProjectStore,
  { id }: ExportPart,
  reason: RemovalReason,
  input: Input,
): Promise<void> {
  const attempt = async () => {
    const part = await getPart(store, id);
    if (!part || !mayHaveFile(part)) return undefined;
    await input.files.remove(fileKey(part));
    const refusal = await commitPatiently(input, [endPart(store, part, reason)]);
    return refusal && again;
  };
  await retry(attempt, { failure: () => new Error('lost too many races for the part') });
}

/**
 * Removes an export's files, and then their items.
 * @throws TurnOver. The next turn does not find the parts that are done
 */
export async function removeAllParts(store: ProjectStore, jobId: string, input: Input): Promise<void> {
  for await (const part of partsOf(store, jobId)) {
    await input.files.remove(fileKey(part));
    await commitPatiently(input, [removePart(store, part.id)]);
    checkTurn(input);
  }
}
