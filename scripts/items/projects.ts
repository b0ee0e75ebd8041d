import { purges } from '../../lib/project-purges/store/purges.ts';
import { deletedProjects, projects } from '../../lib/projects/store.ts';
import { exampleTime, kind, ulid } from './kind.ts';

const project = {
  id: `proj_${ulid}`,
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
