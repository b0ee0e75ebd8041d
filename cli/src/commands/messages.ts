/** The commands of messages: transcript, follow, search. */

import type { Command } from 'commander';
import type { Message } from '../../../clients/typescript/src/index.ts';
import { checkId, type Define, wholeNumber } from '../command.ts';
import { type ListOptions, listOptions } from '../lists.ts';
import type { Output } from '../output/output.ts';
import { highlightMatches, safeLine, safeText } from '../output/text.ts';
import { periodFrom, periodOptions } from '../period.ts';
import { filterOptions, filtersFrom, type SelectOptions } from './conversations.ts';

const afterSeq = [
  '--after-seq <n>',
  'begins after this message',
  { parse: wholeNumber('--after-seq', 0, 1e9) },
] as const;

const defaultLimit = 20;

async function printMessage({ json, jsonLine, paint, line }: Output, message: Message): Promise<void> {
  if (json) return jsonLine(message);
  const { at, role, seq } = message;
  await line(
    paint('dim', `${seq}  ${safeLine(at)}`) +
      paint(role === 'user' ? 'cyan' : 'green', `  ${safeLine(role)}`),
  );
  await line(safeText(message.text).replaceAll(/^/gm, '   '));
  for (const { documentId, title, page, snippet } of message.citations) {
    const place = [title ?? documentId, ...(page === null ? [] : [`page ${page}`])].map(String).map(safeLine);
    const id = title === null ? '' : paint('dim', `  ${safeLine(documentId)}`);
    await line(`   → ${place.join(', ')}${id}`);
    if (snippet !== null) await line(`     ${paint('dim', safeLine(snippet))}`);
  }
  for (const [name, value] of Object.entries(message.metadata))
    await line(`   ${paint('dim', safeLine(`${name}=${value}`))}`);
}

export function addMessages(parent: Command, define: Define): void {
  define<{ afterSeq?: number }>(parent, {
    name: 'transcript <id>',
    summary: 'Prints the messages of a conversation',
    project: true,
    options: [afterSeq],
    examples: ['conversations transcript conv_01JZ4Y7Q8R5T2V9W3X6B0C1D4E --json | jq -r .text'],
    async run({ project, out }, options, id) {
      for await (const message of project.conversations.messages(checkId(id), { afterSeq: options.afterSeq }))
        await printMessage(out, message);
    },
  });

  define<{ afterSeq?: number }>(parent, {
    name: 'follow <id>',
    summary: 'Prints the messages of a conversation as they come, until its end',
    details: 'After a lost connection, it continues after the last message.',
    project: true,
    options: [afterSeq],
    examples: [
      'conversations follow conv_01JZ4Y7Q8R5T2V9W3X6B0C1D4E',
      'conversations follow conv_01JZ4Y7Q8R5T2V9W3X6B0C1D4E --json',
    ],
    async run({ project, out, signal }, options, id) {
      const messages = project.conversations.follow(checkId(id), { afterSeq: options.afterSeq, signal });
      for await (const message of messages) await printMessage(out, message);
      out.note('The conversation has ended.');
    },
  });

  define<ListOptions & SelectOptions & { hideTools?: boolean }>(parent, {
    name: 'search <query>',
    summary: 'Searches the messages',
    details: 'All words must match; words in quotation marks must follow each other.',
    project: true,
    options: [
      ...listOptions,
      ['--hide-tools', 'without messages of tools'],
      ...filterOptions,
      ...periodOptions,
    ],
    examples: [
      'conversations search refund --from 7d',
      'conversations search \'"my order" where\' --tag refund --json',
    ],
    async run({ project, out, shell }, { limit, all, hideTools, ...options }, q) {
      const query = { q, hideTools, ...filtersFrom(options), ...periodFrom(options, shell.nowMs()) };
      const maxHits = limit ?? (all || out.json ? Number.POSITIVE_INFINITY : defaultLimit);
      let count = 0;
      let indexedThrough: string | null = null;
      for await (const page of project.conversations
        .search({ ...query, limit: Math.min(100, maxHits) })
        .pages()) {
        indexedThrough = page.data.indexedThrough;
        for (const hit of page.items) {
          if (count === maxHits) return out.note(`There are more than ${count}. --all shows all.`);
          count += 1;
          if (out.json) await out.jsonLine(hit);
          else {
            const { conversationId, seq, role, at, snippet, matches } = hit;
            const place = [conversationId, `#${seq}`, role, at].map((part) => safeLine(`${part}`)).join('  ');
            await out.line(out.paint('dim', place));
            await out.line(`  ${highlightMatches(snippet, matches, out.paint)}\n`);
          }
        }
      }
      if (count === 0) out.note('Nothing was found.');
      if (!out.json && indexedThrough) out.note(`Messages are indexed until ${indexedThrough}.`);
    },
  });
}
