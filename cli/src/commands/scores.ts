/** The commands of scores. */

import type { Command } from 'commander';
import {
  ApiError,
  type ConversationScorePutRequest,
  type Score,
} from '../../../clients/typescript/src/index.ts';
import { checkId, type Define } from '../command.ts';
import { usageError } from '../errors.ts';
import { type ListOptions, listOptions, printList } from '../lists.ts';

type SetOptions = {
  rationale?: string;
  evidence?: number[];
  source?: ConversationScorePutRequest['source'];
};

export function addScores(program: Command, define: Define): void {
  const parent = program
    .command('scores')
    .summary('Scores of a conversation')
    .description('Scores of a conversation. `platform evaluate` lets evaluators give them.');

  define<ListOptions>(parent, {
    name: 'list <conversation>',
    summary: 'Lists all scores of a conversation',
    details: 'The effective score of each name comes first. Lists, filters and statistics use it.',
    project: true,
    arguments: ['conversation'],
    options: listOptions,
    examples: ['scores list conv_01JZ4Y7Q8R5T2V9W3X6B0C1D4E'],
    run: (session, options, id) =>
      printList(session, options, (page) => session.project.conversations.scores.list(checkId(id), page), {
        name: ({ name }) => name,
        value: ({ value, reason }) => (reason === null ? value : `unknown: ${reason}`),
        source: ({ source }) => source,
        version: ({ version }) => version,
        effective: ({ effective, stale }) =>
          [effective ? 'yes' : 'no', stale && 'stale'].filter(Boolean).join(', '),
        evidence: ({ evidence }) => evidence.map((seq) => `#${seq}`).join(' '),
        rationale: ({ rationale }) => rationale,
        created: ({ createdAt }) => createdAt,
      }),
  });

  define<SetOptions>(parent, {
    name: 'set <conversation> <name> <value>',
    summary: 'Sets a score of a conversation',
    details:
      'VALUE is JSON, such as true, 4 or {"reasons":["late"]}. Any other value is a text, and so is JSON that the evaluator does not ' +
      'allow: 4 is the category "4" of an evaluator with categories.\n\nYou can run the command again: it writes nothing if nothing ' +
      'has changed.',
    project: true,
    arguments: ['conversation'],
    options: [
      ['--rationale <text>', 'why it has this value'],
      ['--evidence <numbers>', 'the messages that show it, by their numbers: 3,4', { parse: numbers }],
      [
        '--source <source>',
        'who gives it: your program (api), or a person (human), which counts more (default: api)',
        { choices: ['api', 'human'] },
      ],
    ],
    examples: [
      'scores set conv_01JZ4Y7Q8R5T2V9W3X6B0C1D4E csat 4',
      'scores set conv_01JZ4Y7Q8R5T2V9W3X6B0C1D4E goal_reached false --source human --evidence 3,4 --rationale "No refund."',
    ],
    async run({ project, out }, { rationale, evidence, source }, id, name, text = '') {
      const put = (value: unknown): Promise<Score> =>
        project.conversations.scores.put(checkId(id), checkName(name), {
          value,
          rationale,
          evidence,
          source,
        });
      const [likely, otherwise] = valuesFrom(text);
      const score = await put(likely).catch((error) => {
        if (otherwise === undefined || !isAboutValue(error)) throw error;
        return put(otherwise).catch(() => Promise.reject(error));
      });
      await out.item(score);
    },
  });
}

/** @returns the values that the text may mean, the likelier value first */
function valuesFrom(text: string): [value: unknown, otherwise?: string] {
  try {
    const value: unknown = JSON.parse(text);
    // The value of a score is never null.
    return value === null ? [text] : [value, text];
  } catch {
    return [text];
  }
}

const isAboutValue = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.status === 400 &&
  error.details.some(({ path }) => /^value\b/.test(path));

/** Checks a name, because the name becomes a part of a path. */
function checkName(name = ''): string {
  if (/^[a-z0-9_-]{1,40}$/.test(name)) return name;
  throw usageError(
    `This is not the name of an evaluator: ${JSON.stringify(name)}`,
    'To list them: platform evaluators list',
  );
}

function numbers(text: string): number[] {
  if (/^[1-9]\d{0,6}(,[1-9]\d{0,6}){0,19}$/.test(text)) return text.split(',').map(Number);
  throw usageError('--evidence must be numbers of messages, such as 3,4.');
}
