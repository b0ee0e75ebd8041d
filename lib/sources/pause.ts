/** Pauses the sources of credentials that have ended with everything that they have started. */

import { timestamp } from '../base/time.ts';
import { type PauseInput, pauseSetBy } from '../workers/pause-set.ts';
import { changeSource, getSource, sourceSetters } from './store/sources.ts';

/** A refresh that one of the keys has requested ends by itself. A repeated call changes nothing. */
export const pauseSourcesOf = (keys: ReadonlySet<string>, input: PauseInput): Promise<void> =>
  pauseSetBy(
    {
      setters: sourceSetters,
      get: getSource,
      pause: (store, source) =>
        changeSource(store, source, {
          paused: true,
          pausedReason: 'key_revoked',
          nextRefreshAt: null,
          updatedAt: timestamp(input.nowMs()),
        }),
    },
    keys,
    input,
  );
