/** All tests of the client, by their titles. */

import type { Scenarios } from '../scenario.ts';
import { calls } from './calls.ts';
import { exportScenarios } from './exports.ts';
import { faultScenarios } from './faults.ts';
import { helpers } from './helpers.ts';
import { importScenarios } from './imports.ts';
import { lists } from './lists.ts';
import { webhookScenarios } from './webhooks.ts';

export const scenarios: Scenarios = {
  ...calls,
  ...lists,
  ...faultScenarios,
  ...helpers,
  ...exportScenarios,
  ...importScenarios,
  ...webhookScenarios,
};
