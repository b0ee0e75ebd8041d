/** Every endpoint, ordered by path: the table of contents of the API. */

import type { Endpoint } from '../lib/endpoint.ts';
import apiKeysCreate from './api-keys/create.ts';
import apiKeysGet from './api-keys/get.ts';
import apiKeysList from './api-keys/list.ts';
import apiKeysMe from './api-keys/me.ts';
import apiKeysRevoke from './api-keys/revoke.ts';
import apiKeysUpdate from './api-keys/update.ts';
import health from './health.ts';
import jobsCancel from './jobs/cancel.ts';
import jobsGet from './jobs/get.ts';
import jobsList from './jobs/list.ts';
import knowledgeDocumentsBatch from './knowledge/documents/batch.ts';
import knowledgeDocumentsContent from './knowledge/documents/content.ts';
import knowledgeDocumentsCreate from './knowledge/documents/create.ts';
import knowledgeDocumentsDelete from './knowledge/documents/delete.ts';
import knowledgeDocumentsGet from './knowledge/documents/get.ts';
import knowledgeDocumentsList from './knowledge/documents/list.ts';
import knowledgeDocumentsPut from './knowledge/documents/put.ts';
import knowledgeDocumentsUpdate from './knowledge/documents/update.ts';
import knowledgeReindex from './knowledge/reindex.ts';
import knowledgeSearch from './knowledge/search.ts';
import openapi from './openapi.ts';
import projectsCreate from './projects/create.ts';
import projectsDelete from './projects/delete.ts';
import projectsGet from './projects/get.ts';
import projectsList from './projects/list.ts';
import projectsRestore from './projects/restore.ts';
import projectsUpdate from './projects/update.ts';

export const endpoints: readonly Endpoint[] = [
  apiKeysList, //               GET    /api-keys
  apiKeysCreate, //             POST   /api-keys
  apiKeysMe, //                 GET    /api-keys/me
  apiKeysGet, //                GET    /api-keys/{key_id}
  apiKeysUpdate, //             PATCH  /api-keys/{key_id}
  apiKeysRevoke, //             DELETE /api-keys/{key_id}
  health, //                    GET    /health
  openapi, //                   GET    /openapi.json
  projectsList, //              GET    /projects
  projectsCreate, //            POST   /projects
  projectsGet, //               GET    /projects/{project_id}
  projectsUpdate, //            PATCH  /projects/{project_id}
  projectsDelete, //            DELETE /projects/{project_id}
  jobsList, //                  GET    /projects/{project_id}/jobs
  jobsGet, //                   GET    /projects/{project_id}/jobs/{job_id}
  jobsCancel, //                POST   /projects/{project_id}/jobs/{job_id}/cancel
  knowledgeDocumentsList, //    GET    /projects/{project_id}/knowledge/documents
  knowledgeDocumentsCreate, //  POST   /projects/{project_id}/knowledge/documents
  knowledgeDocumentsBatch, //   POST   /projects/{project_id}/knowledge/documents/batch
  knowledgeDocumentsPut, //     PUT    /projects/{project_id}/knowledge/documents/by-external-id/{external_id}
  knowledgeDocumentsGet, //     GET    /projects/{project_id}/knowledge/documents/{document_id}
  knowledgeDocumentsUpdate, //  PATCH  /projects/{project_id}/knowledge/documents/{document_id}
  knowledgeDocumentsDelete, //  DELETE /projects/{project_id}/knowledge/documents/{document_id}
  knowledgeDocumentsContent, // GET    /projects/{project_id}/knowledge/documents/{document_id}/content
  knowledgeReindex, //          POST   /projects/{project_id}/knowledge/reindex
  knowledgeSearch, //           GET    /projects/{project_id}/knowledge/search
  projectsRestore, //           POST   /projects/{project_id}/restore
];
