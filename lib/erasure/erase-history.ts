/** Erases a resource from its events, and then from its deliveries. Both stay, so the position is that of the last one. */

import type { ProjectStore } from '../documents/store/documents.ts';
import { eraseFromEvents } from '../events/store/events.ts';
import { eraseFromDeliveries } from '../webhooks/store/erase.ts';
import type { Checkpoint } from '../workers/turn.ts';
import type { WorkerInput } from '../workers/worker.ts';

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
