import * as z from 'zod';
import { documentTag } from '../../../lib/documents/documents.ts';
import { KnowledgeDocument } from '../../../lib/documents/schema/document.ts';
import {
  knowledgeDocumentInPath,
  removeDocument,
  wasDeleted,
} from '../../../lib/documents/store/documents.ts';
import { shownDocument } from '../../../lib/documents/store/search-fields.ts';
import { defineEndpoint, fail, type HeaderSource, optional } from '../../../lib/http/endpoint.ts';
import { expungeDocument } from '../../../lib/indexing/store/expunged.ts';
import { jobAt, newJob, waitsFor } from '../../../lib/jobs/job.ts';
import { jobHeaders } from '../../../lib/jobs/request-job.ts';
import { Job } from '../../../lib/jobs/schema.ts';
import { checkJob, getJob, getLatestJob, queueJob } from '../../../lib/jobs/store.ts';
import { searchFieldsOf } from '../../../lib/projects/store.ts';
import { flag, id } from '../../../lib/schema/common.ts';
import { excludePageOf } from '../../../lib/sources/store/pages.ts';
import { isManaged } from '../../../lib/sources/store/sources.ts';

type Header = (typeof jobHeaders)[keyof typeof jobHeaders];

/** The header of a job; a document does not have it. */
const jobHeader = ({ description, value }: Header) => ({
  description,
  value: (data: KnowledgeDocument | Job, request: HeaderSource) =>
    'progress' in data ? value(data, request) : undefined,
});

export default defineEndpoint({
  id: 'knowledge.documents.delete',
  method: 'DELETE',
  path: '/projects/{project_id}/knowledge/documents/{document_id}',
  summary: 'Delete a document',
  description:
    'Deletes the document and returns it. Its externalId can be used again at once. Existing index versions keep ' +
    'the text of the document: searches find it until the next re-indexing, and environments serve it until the ' +
    'next deployment.\n\nWith `expunge=true`, the text is removed from existing index versions too. The response ' +
    'is 202 with a job. Wait for the job at its `Location`. From this response on, no search returns the document ' +
    'in any environment. The job publishes versions without the document, removes the stored text, and lists the ' +
    'changed environments in its result. This also works for a document that was deleted or expunged before, and ' +
    'in an archived project.\n\nA document of a source can only be deleted with `expunge=true`. Later refreshes then leave its ' +
    'page out.',
  auth: 'knowledge:write',
  project: 'existing',
  loads: { document: optional(knowledgeDocumentInPath) },
  ifMatch: true,
  request: {
    params: z.strictObject({ project_id: id('project'), document_id: id('knowledgeDocument') }),
    query: z.strictObject({
      expunge: flag().meta({
        description: 'Whether to remove its text from all index versions.',
        documentedAs: { type: 'boolean', default: false },
      }),
    }),
  },
  causes: ['document.deleted', 'job.created'],
  responses: { 200: KnowledgeDocument, 202: Job },
  headers: { Location: jobHeader(jobHeaders.Location), 'Retry-After': jobHeader(jobHeaders['Retry-After']) },
  errors: ['not_found', 'project_archived', 'version_mismatch', 'managed_by_source'],
  access: {
    knowledge: ['GetItem', 'PutItem', 'DeleteItem'],
    knowledgeIndexes: ['PutItem'],
    jobs: ['GetItem', 'PutItem', 'ConditionCheckItem'],
  },

  async handle({ params, query, loaded: { document }, caller, project, matches, store, nowMs, newId }) {
    const { document_id: documentId } = params;
    const expunges = query.expunge === 'true';
    if (!expunges && project.status !== 'active') return fail('project_archived');
    const [latest, isKnown] = expunges
      ? await Promise.all([
          getLatestJob(store, 'knowledge'),
          document !== undefined || wasDeleted(store, documentId),
        ])
      : [undefined, document !== undefined];
    if (!isKnown) return fail('not_found');
    if (!matches(document && documentTag(document))) return fail('version_mismatch');
    const isFromSource = document !== undefined && (await isManaged(store, document));
    if (isFromSource && !expunges) return fail('managed_by_source');
    const removals = document ? removeDocument(store, document) : [];
    // Otherwise the next refresh would make a document of the page again.
    if (isFromSource) removals.push(...(await excludePageOf(store, document)));
    if (document && !expunges)
      return { status: 200, data: shownDocument(document, searchFieldsOf(project)), writes: removals };

    const last = latest && (await getJob(store, latest.jobId));
    // A queued job removes this document, too, because it lists the documents when it starts.
    const isNext = last?.type === 'knowledge.expunge' && jobAt(last, nowMs, caller).status === 'queued';
    const after = waitsFor(last);
    const expungeJob = newJob(newId('job'), 'knowledge.expunge', caller.principal, nowMs, { after });
    const job = isNext ? last : expungeJob;
    const writes = [
      ...removals,
      ...expungeDocument(store, documentId, job.id),
      ...(isNext ? [checkJob(store, last)] : queueJob(store, 'knowledge', expungeJob, latest)),
    ];
    return { status: 202, data: job, writes };
  },
});
