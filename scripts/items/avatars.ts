import {
  activeAvatars,
  avatarChanges,
  avatarPointers,
  avatars,
  avatarVersions,
  removedAvatars,
} from '../../lib/avatars/store.ts';
import { exampleTime, kind, sha256, ulid } from './kind.ts';

const id = `avtr_${ulid}`;
const content = {
  name: 'Ada',
  persona: { prompt: 'You are Ada.', greeting: 'Hello!', language: 'en-GB' },
  voice: { provider: 'elevenlabs', voiceId: '21m00Tcm4TlvDq8ikWAM' },
  imageUrl: 'https://cdn.example.com/ada.png',
  knowledgeTags: ['orders'],
  metadata: { team: 'support' },
  status: 'active',
} as const;
const made = { createdAt: exampleTime, createdBy: `key_${ulid}` };

export const avatarKinds = [
  kind(avatars, {
    parents: [],
    through: 'avatars.create',
    item: {
      id,
      externalId: 'ada',
      ...content,
      knowledgeTags: ['orders'],
      version: 1,
      updatedAt: exampleTime,
      ...made,
    },
  }),
  kind(avatarPointers, {
    parents: [],
    idText: 'SHA-256 of an externalId',
    about: 'a pointer to the avatar',
    item: { id: sha256, resourceId: id },
  }),
  kind(avatarVersions, {
    parents: [id],
    about: 'a version',
    item: { id: 'v0000000001', avatarId: id, version: 1, ...content, knowledgeTags: ['orders'], ...made },
  }),
  kind(removedAvatars, { parents: [], about: 'deleted, but its versions are kept', item: { id } }),
  kind(activeAvatars, { parents: [], about: 'it is active', item: { id } }),
  kind(avatarChanges, {
    parents: [],
    about: 'the last change of an avatar of the project',
    item: { id: 'changes' },
  }),
];
