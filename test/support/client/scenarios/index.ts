/** All tests of the client, by their titles. */

import type { Scenarios } from '../scenario.ts';
import { calls } from './calls.ts';
import { fileScenarios } from './document-files.ts';
import { exportScenarios } from './exports.ts';
import { faultScenarios } from './faults.ts';
import { helpers } from './helpers.ts';
import { importScenarios } from './imports.ts';
import { lists } from './lists.ts';
import { rolloutScenarios } from './rollouts.ts';
import { scoreScenarios } from './scores.ts';
import { sessionEndScenarios } from './session-ends.ts';
import { sessionFileScenarios } from './session-files.ts';
import { sessionScenarios } from './sessions.ts';
import { webhookScenarios } from './webhooks.ts';

export const scenarios: Scenarios = {
  ...calls,
  ...lists,
  ...faultScenarios,
  ...helpers,
  ...fileScenarios,
  ...exportScenarios,
  ...importScenarios,
  ...scoreScenarios,
  ...webhookScenarios,
  ...sessionScenarios,
  ...sessionFileScenarios,
  ...sessionEndScenarios,
  ...rolloutScenarios,
};

/** What only the Python client has, with the reason. */
export const absent: Readonly<Record<string, string>> = {
  'one client serves many threads': 'there are no threads',
  'sync takes a folder': 'a page has no files: `readDocuments` reads them',
  'conversations.export writes each conversation with its messages, oldest first, and replaces the file at once':
    'the command line does this',
  'conversations.export continues after kill -9: no line twice, no line missing':
    'the command line does this',
  'conversations.export does not mix two exports': 'the command line does this',
};
