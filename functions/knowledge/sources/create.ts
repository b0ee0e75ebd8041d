import * as z from 'zod';
import { requireCaller } from '../../../lib/api-keys/store/credentials.ts';
import { timestamp } from '../../../lib/base/time.ts';
import { defineEndpoint } from '../../../lib/http/endpoint.ts';
import { acceptedUrl } from '../../../lib/network/addresses.ts';
import { id } from '../../../lib/schema/common.ts';
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
  sourceType,
  sourceUrl,
} from '../../../lib/sources/schema/source.ts';
import { createSource } from '../../../lib/sources/store/sources.ts';

export default defineEndpoint({
  id: 'knowledge.sources.create',
  method: 'POST',
  path: '/projects/{project_id}/knowledge/sources',
  summary: 'Create a source',
  description:
    'Creates a source: pages of a website whose main content is kept as documents. With a `refresh` other than `manual`, ' +
    'the first refresh starts at once. Otherwise request it with `POST …/refresh`. A project can have 50 sources.\n\nA refresh ' +
    'respects robots.txt (as `platform-api-crawler`), sends one request at a time to each host, and requests pages that ' +
    'it knows with conditions, so that an unchanged page writes nothing. Its documents have the id of the source as `source`. ' +
    'Only the source can change them.',
  auth: 'knowledge:write',
  project: 'active',
  request: {
    params: z.strictObject({ project_id: id('project') }),
    body: z.strictObject({
      type: sourceType,
      url: sourceUrl,
      include: sourceInclude.default([]),
      exclude: sourceExclude.default([]),
      maxPages: maxPages.default(500),
      maxDepth: maxDepth.default(3),
      tags: sourceTags.default([]),
      refresh: sourceRefresh.default('manual'),
      reindex: sourceReindex.default(true),
    }),
  },
  causes: ['source.created'],
  responses: { 201: KnowledgeSource },
  errors: ['service_unavailable', 'too_many_sources'],
  access: { knowledge: ['PutItem', 'UpdateItem'], apiKeys: ['ConditionCheckItem'] },

  async handle({ body, caller, store, limits, network, nowMs, newId }) {
    const url = acceptedUrl(body.url, network);
    const createdAt = timestamp(nowMs);
    const source = {
      id: newId('knowledgeSource'),
      ...body,
      url,
      paused: false,
      pausedReason: null,
      jobId: null,
      lastRefresh: null,
      nextRefreshAt: body.refresh === 'manual' ? null : createdAt,
      createdAt,
      updatedAt: createdAt,
      createdBy: caller.principal,
      setBy: caller.id,
    };
    const writes = createSource(store, { ...source, quotas: limits.quotas });
    return { status: 201, data: showSource(source), writes: [...writes, ...requireCaller(store, caller)] };
  },
});
