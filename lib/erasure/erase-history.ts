/** Erases a resource from its events, and then from its deliveries. Both stay, so the position is that of the last one. */

import { hourMs, secondMs, ttlSeconds } from '../base/time.ts';
import type { ProjectStore } from '../documents/store/documents.ts';
import { eraseFromEvents } from '../events/store/events.ts';
import { eraseFromDeliveries } from '../webhooks/store/erase.ts';
import { type Checkpoint, endTurn } from '../workers/turn.ts';
import type { WorkerInput } from '../workers/worker.ts';
import { commitPatiently } from '../workers/writes.ts';
import type { purgePositions } from './store/positions.ts';

export async function eraseFromHistory(
  store: ProjectStore,
  id: string,
  input: WorkerInput,
  { after, save }: Checkpoint,
): Promise<void> {
  const [phase = '', last = ''] = after.split(' ');
  const at = (own: string) => ({
    after: phase === own ? last : '',
    save: (next: string) => save(`${own} ${next}`),
  });
  if (phase !== 'deliveries') await eraseFromEvents(store, id, input, at('events'));
  await eraseFromDeliveries(store, id, input, at('deliveries'));
}

/**
 * Erases in as many turns as it takes. The position is an item of its own.
 * @throws TurnOver
 */
export async function eraseInTurns(
  positions: ReturnType<typeof purgePositions.at>,
  id: string,
  input: WorkerInput,
  erase: (checkpoint: Checkpoint) => Promise<void>,
): Promise<void> {
  const stored = await positions.get(id);
  await erase({
    after: stored && stored.ttl * secondMs > input.nowMs() ? stored.after : '',
    save: (after) =>
      endTurn(input, () => {
        const position = { id, after, ttl: ttlSeconds(input.nowMs() + hourMs) };
        return commitPatiently(input, [positions.put(position, { condition: { kind: 'any' } })]);
      }),
  });
  if (stored) await commitPatiently(input, [positions.remove(id, { condition: { kind: 'any' } })]);
}
