import * as z from 'zod';
import { requireCaller } from '../../../lib/api-keys/store/credentials.ts';
import { timestamp } from '../../../lib/base/time.ts';
import { defineEndpoint } from '../../../lib/http/endpoint.ts';
import { acceptedUrl } from '../../../lib/network/addresses.ts';
import { atLeastOneField, id } from '../../../lib/schema/common.ts';
import { nextRefreshAt } from '../../../lib/sources/refresh/next-refresh.ts';
import {
  KnowledgeSource,
  maxDepth,
  maxPages,
  showSource,
  sourceExclude,
  sourceInclude,
  sourceRefresh,
  sourceReindex,
  sourceTags,
  sourceUrl,
} from '../../../lib/sources/schema/source.ts';
import { changeSource, knowledgeSourceInPath } from '../../../lib/sources/store/sources.ts';

export default defineEndpoint({
  id: 'knowledge.sources.update',
  method: 'PATCH',
  path: '/projects/{project_id}/knowledge/sources/{source_id}',
  summary: 'Update a source',
  description:
    'Replaces the fields in the body. A refresh that runs uses the new values from its next step on. A paused source is not ' +
    'refreshed. Set `paused` to false to refresh it again, on behalf of the credential that sends this request.',
  auth: 'knowledge:write',
  project: 'active',
  loads: { source: knowledgeSourceInPath },
  request: {
    params: z.strictObject({ project_id: id('project'), source_id: id('knowledgeSource') }),
    body: atLeastOneField(
      z.strictObject({
        // The later refreshes remove the documents, also those that a timer starts.
        url: sourceUrl
          .exactOptional()
          .meta({ removes: 'A refresh removes documents of pages that it no longer finds.' }),
        include: sourceInclude
          .exactOptional()
          .meta({ removes: 'A refresh removes documents of other pages.' }),
        exclude: sourceExclude
          .exactOptional()
          .meta({ removes: 'A refresh removes documents of these pages.' }),
        maxPages: maxPages.exactOptional(),
        maxDepth: maxDepth.exactOptional().meta({ removes: 'A refresh removes documents of deeper pages.' }),
        tags: sourceTags.exactOptional(),
        refresh: sourceRefresh.exactOptional(),
        reindex: sourceReindex.exactOptional(),
        paused: z.boolean().exactOptional().meta({ description: 'Whether it is not refreshed.' }),
      }),
    ),
  },
  causes: ['source.updated'],
  responses: { 200: KnowledgeSource },
  errors: ['service_unavailable'],
  access: { knowledge: ['PutItem', 'UpdateItem', 'DeleteItem'], apiKeys: ['ConditionCheckItem'] },

  async handle({ loaded: { source }, body, caller, store, limits, network, nowMs }) {
    const url = body.url === undefined ? undefined : acceptedUrl(body.url, network);
    const { paused = source.paused, refresh = source.refresh } = body;
    const isResumed = source.paused && !paused;
    const isSet =
      isResumed || (['url', 'include', 'exclude'] as const).some((name) => body[name] !== undefined);
    const isTimed = paused !== source.paused || refresh !== source.refresh;
    const change = {
      ...body,
      ...(url !== undefined && { url }),
      ...(paused !== source.paused && { pausedReason: paused ? ('requested' as const) : null }),
      ...(isTimed && { nextRefreshAt: nextRefreshAt({ paused, refresh }, nowMs) }),
      ...(isSet && { setBy: caller.id }),
      updatedAt: timestamp(nowMs),
    };
    // A key that is being revoked starts nothing any more.
    const guards = isSet || isTimed ? requireCaller(store, caller) : [];
    return {
      status: 200,
      data: showSource({ ...source, ...change }),
      writes: [...changeSource(store, source, { ...change, quotas: limits.quotas }), ...guards],
    };
  },
});
