import { purges } from '../../lib/projects/purges/store.ts';
import { deletedProjects, projectPointers, projects } from '../../lib/projects/store.ts';
import { exampleTime, kind, sha256, ulid } from './kind.ts';

const project = {
  id: `proj_${ulid}`,
  externalId: 'support-site',
  name: 'Support site',
  description: 'Answers questions about orders.',
  metadata: { costCentre: '4711' },
  settings: { conversationTimeoutMinutes: 30, retentionDays: null },
  createdAt: exampleTime,
  updatedAt: exampleTime,
  createdBy: `key_${ulid}`,
};

export const projectKinds = [
  kind(projects, { parents: [], through: 'projects.create', item: { ...project, status: 'active' } }),
  kind(deletedProjects, {
    parents: [],
    through: 'projects.delete',
    item: { ...project, status: 'deleted', restoresTo: 'active', purgeAt: '2026-03-08T09:30:00.000Z' },
  }),
  kind(projectPointers, {
    parents: [],
    idText: 'SHA-256 of an externalId',
    about: 'a pointer to the project',
    item: { id: sha256, resourceId: project.id },
  }),
  kind(purges, {
    writer: 'worker:project-purger',
    parents: [],
    about: 'the progress of its purge',
    removed: '90 days after the purge',
    optional: ['ttl'],
    item: {
      id: project.id,
      status: 'succeeded',
      run: 1,
      deletedAt: exampleTime,
      startedAt: exampleTime,
      finishedAt: exampleTime,
      removedItems: 412,
      failures: 0,
      error: null,
      ttl: 1_780_131_600,
    },
  }),
];
