/** Sources whose jobs have a type: `jobs.waitForSuccess(sources.refresh(id))` returns a `RefreshResult`. */

import type { PostOptions, RequestOptions } from '../core/options.ts';
import type { ApiPromise } from '../core/promise.ts';
import { KnowledgeSourcesMethods } from '../generated/methods.ts';
import type { KnowledgeSourceRefreshRequest, KnowledgeSourcesDeleteQuery } from '../generated/types.ts';
import type { JobOf } from './jobs.ts';

export class KnowledgeSources extends KnowledgeSourcesMethods {
  override refresh(
    sourceId: string,
    body?: KnowledgeSourceRefreshRequest,
    options?: PostOptions,
  ): ApiPromise<JobOf<'knowledge.refresh'>> {
    return super.refresh(sourceId, body, options) as ApiPromise<JobOf<'knowledge.refresh'>>;
  }

  override delete(
    sourceId: string,
    query?: KnowledgeSourcesDeleteQuery,
    options?: RequestOptions,
  ): ApiPromise<JobOf<'knowledge.remove-source'>> {
    return super.delete(sourceId, query, options) as ApiPromise<JobOf<'knowledge.remove-source'>>;
  }
}
