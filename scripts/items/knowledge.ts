import { openBuilds, storedBuilds } from '../../lib/knowledge/store/builds.ts';
import { contents } from '../../lib/knowledge/store/contents.ts';
import { deletedDocuments, documents } from '../../lib/knowledge/store/documents.ts';
import { expungedBuilds, expungedDocuments, expungingDocuments } from '../../lib/knowledge/store/expunged.ts';
import { pointers } from '../../lib/knowledge/store/external-names.ts';
import { parts } from '../../lib/knowledge/store/parts.ts';
import { publishedVersions, versions } from '../../lib/knowledge/store/versions.ts';
import { exampleTime, indexVersion, kind, sha256, ulid } from './kind.ts';

const id = `kdoc_${ulid}`;
const build = `job_${ulid}`;
const bytes = new Uint8Array();
const described = {
  mimeType: 'text/markdown',
  bytes: 26,
  contentSha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
} as const;

export const knowledgeKinds = [
  kind(documents, {
    parents: [],
    through: 'worker:knowledge-indexer',
    about: 'a document without its content',
    optional: ['dayUses'],
    item: {
      id,
      title: 'Returns',
      source: 'handbook',
      externalId: 'handbook/returns.md',
      ...described,
      tags: ['returns'],
      metadata: { team: 'support' },
      status: 'indexed',
      error: null,
      indexVersion,
      createdAt: exampleTime,
      updatedAt: exampleTime,
      createdBy: `key_${ulid}`,
      dayUses: '2026-03-01 1 26 0 0',
    },
  }),
  kind(contents, { parents: [], about: 'its content', item: { id, ...described, gzip: bytes } }),
  kind(pointers, {
    parents: [],
    idText: 'SHA-256 of an externalId',
    about: 'a pointer to the document without a source',
    item: { id: sha256, documentId: id },
  }),
  kind(pointers, {
    parents: [],
    idText: 'SHA-256 of an externalId, SHA-256 of a source',
    about: 'a pointer to the document',
    item: { id: `${sha256}.${sha256}`, documentId: id },
  }),
  kind(deletedDocuments, {
    parents: [],
    about: 'deleted, but may still be in an index version',
    item: { id },
  }),
  kind(publishedVersions, {
    writer: 'worker:knowledge-indexer',
    parents: [],
    about: 'the published version',
    item: { id: 'published', version: indexVersion, previous: null },
  }),
  kind(versions, {
    writer: 'worker:knowledge-indexer',
    parents: [],
    idText: "a version's hash",
    about: 'its build',
    removed: '7 days after it was replaced, unless a deployment holds it',
    optional: ['held', 'ttl', 'replacedBy'],
    item: {
      id: indexVersion,
      build,
      documents: 120,
      failed: 1,
      chunks: 480,
      blocks: 12,
      indexParts: 1,
      held: true,
      ttl: 1_772_962_200,
      replacedBy: indexVersion,
    },
  }),
  kind(parts, {
    writer: 'worker:knowledge-indexer',
    parents: [build],
    idText: 'block-…',
    about: 'texts',
    removed: 'as the version',
    optional: ['ttl'],
    item: { id: 'block-000000', bytes, ttl: 1_772_962_200 },
  }),
  kind(parts, {
    writer: 'worker:knowledge-indexer',
    parents: [build],
    idText: 'index-…',
    about: 'a part of the index',
    removed: 'as the version',
    optional: ['ttl'],
    item: { id: 'index-000000', bytes, ttl: 1_772_962_200 },
  }),
  kind(openBuilds, {
    writer: 'worker:knowledge-indexer',
    parents: [],
    about: 'an incomplete build',
    item: { id: build },
  }),
  kind(storedBuilds, {
    writer: 'worker:knowledge-indexer',
    parents: [],
    about: 'a build that may have stored parts',
    removed: '37 days after it was replaced',
    optional: ['ttl'],
    item: { id: build, ttl: 1_775_554_200 },
  }),
  kind(expungedDocuments, { parents: [], about: 'a tombstone; no search returns it', item: { id } }),
  kind(expungedBuilds, {
    writer: 'worker:knowledge-indexer',
    parents: [],
    about: 'a build that an expunge has removed',
    removed: 'after 90 days',
    item: { id: build, ttl: 1_780_131_600 },
  }),
  kind(expungingDocuments, {
    parents: [],
    about: 'what a job still has to remove',
    removed: 'when the job has ended',
    item: { id, job: build },
  }),
];
