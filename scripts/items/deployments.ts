import { deployments } from '../../lib/deployments/store/deployments.ts';
import { environments } from '../../lib/deployments/store/environments.ts';
import { exampleTime, kind, sha256, ulid } from './kind.ts';

const id = `dep_${ulid}`;
const frozen = {
  avatars: [{ avatarId: `avtr_${ulid}`, version: 3 }],
  knowledgeIndexVersion: sha256,
  configHash: sha256,
};

export const deploymentKinds = [
  kind(deployments, {
    parents: [],
    through: 'deployments.create',
    item: {
      id,
      environment: 'production',
      git: { sha: '6d5f75d', ref: 'main' },
      reason: 'Greets by name.',
      phase: 'current',
      ...frozen,
      createdAt: exampleTime,
      createdBy: `key_${ulid}`,
      promotedAt: exampleTime,
    },
  }),
  kind(environments, {
    parents: [],
    through: 'deployments.rollback',
    about: 'its name',
    item: {
      id: 'production',
      history: [id],
      serves: { deploymentId: id, ...frozen },
      rollback: { from: id, reason: 'It greets strangers by name.', at: exampleTime, by: `key_${ulid}` },
      createdAt: exampleTime,
      updatedAt: exampleTime,
    },
  }),
];
