/** `npm run streams`: which streams the settings must name after tables were replaced. */

import { expect, test } from 'vitest';
import { replacedStreams } from '../../scripts/streams.ts';

test('only streams that are not in the outputs of the stack are named', () => {
  const arn = (table: string, time: string) =>
    `arn:aws:dynamodb:eu-central-1:1:table/${table}/stream/${time}`;
  const deployed = new Map([
    ['ProjectsStream', arn('projects', '2026-01-01')],
    ['JobsStream', arn('jobs', '2026-01-01')],
  ]);
  const current = { projects: arn('projects', '2026-01-01'), jobs: arn('jobs', '2026-11-21') };
  expect(replacedStreams(current, deployed)).toEqual({ jobs: arn('jobs', '2026-11-21') });
});
