/** A worked example for docs/costs.md: the cost of a month of a support avatar. */

import { table } from '../scripts/shared/markdown.ts';
import { perMillionPrices } from './prices.ts';
import type { UnitRow } from './units.ts';

const conversations = 30_000;
const turns = 10;
const runtimes = 3;
const minutes = 30 * 24 * 60;

/** Each turn of a conversation is one search, and one request with a question and its answer. */
const requests: readonly (readonly [what: string, id: string, variant: string, count: number])[] = [
  ['start a conversation', 'conversations.create', 'new', conversations],
  ['search the knowledge', 'knowledge.search', '', conversations * turns],
  ['store a question and its answer', 'conversations.append', 'new', conversations * turns],
  ['end a conversation', 'conversations.end', 'new', conversations],
  ['read a transcript', 'conversations.transcript', '', conversations],
  ['poll the configuration, once a minute', 'environments.config', '', runtimes * minutes],
];

const wordsOfMessage = 15;

/** Write units of background work, per thing that causes it. test/promises/worker-capacity.test.ts checks them. */
export type BackgroundUnits = { audit: number; event: number; delivery: number };

const dollars = (amount: number) => `$${amount.toFixed(2)}`;
const spaced = (count: number) => `${count}`.replace(/\B(?=(\d{3})+$)/g, ' ');

/**
 * @param costOf returns what a million requests cost, in dollars
 * @param idle what the stage costs in a month without requests, in dollars
 * @returns a sentence, and a table with the sum in its last row
 */
export function exampleMonth(
  rows: readonly UnitRow[],
  costOf: (row: UnitRow) => number,
  units: BackgroundUnits,
  idle: number,
): string {
  const writes = (count: number, each: number) => (count * each * perMillionPrices.writeUnits) / 1e6;
  const messages = conversations * turns * 2;
  const changes = conversations * (turns + 2);
  const lines: (readonly [what: string, count: string, cost: number])[] = [
    ...requests.map(([what, id, variant, count]) => {
      const row = rows.find((one) => one.id === id && one.variant === variant);
      if (!row) throw new Error(`docs/storage.md has no row for ${id}`);
      return [`${what} (\`${id}\`)`, spaced(count), (costOf(row) * count) / 1e6] as const;
    }),
    [
      `index messages of ${wordsOfMessage} different words`,
      spaced(messages),
      writes(messages, wordsOfMessage + 1),
    ],
    ['write the audit log and the events', spaced(changes), writes(changes, units.audit + units.event)],
    [
      'send `conversation.ended` to one webhook',
      spaced(conversations),
      writes(conversations, units.delivery) + (conversations * perMillionPrices.decryptions) / 1e6,
    ],
    ['the stage itself, idle', '', idle],
  ];
  const total = lines.reduce((sum, [, , cost]) => sum + cost, 0);
  const sentence =
    `An example: ${spaced(conversations)} conversations of ${turns} questions and answers, with a search for each question, ` +
    `and ${runtimes} runtimes that poll their configuration.`;
  const lineTable = table(
    ['in a month, in `prod`', 'count', 'cost'],
    [
      ...lines.map(([what, count, cost]) => [what, count, dollars(cost)]),
      ['**total**', '', `**${dollars(total)}**`],
    ],
  );
  return `${sentence}\n\n${lineTable}`;
}
