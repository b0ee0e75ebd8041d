/** What the libraries import and no function reaches; a function that did reach it would throw. */

import type { Plugin } from 'esbuild';

/** The contents of a module that is left out. */
export const empty = { contents: 'module.exports = {};', loader: 'js' } as const;

const unused = [
  // Only `npm run generate` creates JSON Schema.
  /\/zod\/v4\/core\/(to-json-schema|json-schema-processors)\.js$/,
  // DynamoDB has no event streams.
  /\/submodules\/event-streams\/index\.js$/,
  // Node has a SHA-256.
  /\/sha256\/Sha256Js\.js$/,
];

export const leaveOut: Plugin = {
  name: 'leave-out',
  setup({ onLoad }) {
    for (const filter of unused) onLoad({ filter }, () => empty);
  },
};
