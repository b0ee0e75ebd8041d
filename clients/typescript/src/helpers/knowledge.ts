/** Keeps the documents of a source equal to those of the caller. */

import type { PostOptions } from '../core/options.ts';
import type { ApiPromise } from '../core/promise.ts';
import { KnowledgeDocumentsMethods, KnowledgeMethods } from '../generated/methods.ts';
import type { JobOf } from './jobs.ts';
import { type SyncOptions, type SyncResult, sync } from './sync.ts';

export class KnowledgeHelpers extends KnowledgeMethods {
  override reindex(options?: PostOptions): ApiPromise<JobOf<'knowledge.reindex'>> {
    return super.reindex(options) as ApiPromise<JobOf<'knowledge.reindex'>>;
  }

  /**
   * Makes the documents of one source equal to these: hashes them locally, sends only what has changed, and with `prune` deletes
   * what is gone. Other sources, and documents without an externalId, are not changed. May be repeated after a crash, and run
   * twice at the same time. It does not build the index: call `reindex`.
   */
  sync(options: SyncOptions): Promise<SyncResult> {
    return sync(new KnowledgeDocumentsMethods(...this.at), options);
  }
}
