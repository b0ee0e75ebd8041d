/** The sets of scopes of which a credential needs one. A runtime has only its own conversations. */

import { anyOf, type ScopeSets } from '../base/scopes.ts';

export const replyReaders = anyOf('conversations:read', 'runtime:write');

/** Whoever requests a reply learns what the documents of the deployment say. */
export const replyWriters: ScopeSets = [['conversations:write', 'deploy:read'], ['runtime:write']];

/** A draft and a dry run show the persona, and documents that nothing serves. */
export const draftReaders: ScopeSets = [
  ['conversations:write', 'deploy:read', 'knowledge:read', 'avatars:read'],
];
