/** How a conversation with its messages looks in a file. */

import type { Conversation, Message } from '../../../clients/typescript/src/index.ts';
import { safeJson } from '../output/text.ts';
import { csvRows } from './csv.ts';

export type Transcript = { conversation: Conversation; messages: Message[] };

export type Format = {
  /** What the file begins with. */
  head: string;
  /** One conversation, with line ends. */
  record: (transcript: Transcript) => string;
};

/** A line for each conversation. */
const jsonl: Format = {
  head: '',
  record: ({ conversation, messages }) => `${safeJson({ ...conversation, messages })}\n`,
};

const columns = [
  ...[
    'conversationId',
    'avatarId',
    'externalUserId',
    'channel',
    'tags',
    'status',
    'startedAt',
    'endedAt',
    'endReason',
  ],
  ...['seq', 'role', 'text', 'at', 'messageId'],
];

/**
 * A row for each message. A conversation without messages has one row, whose last five columns are empty.
 * @param escapesFormulas as of `csvRows`
 */
const csv = (escapesFormulas: boolean): Format => {
  const rows = (values: unknown[][]) => csvRows(values, escapesFormulas);
  return {
    head: rows([columns]),
    record({ conversation, messages }) {
      const { id, avatarId, externalUserId, channel, tags, status, startedAt, endedAt, endReason } =
        conversation;
      const shared = [
        id,
        avatarId,
        externalUserId,
        channel,
        tags.join(' '),
        status,
        startedAt,
        endedAt,
        endReason,
      ];
      if (messages.length === 0) return rows([[...shared, '', '', '', '', '']]);
      return rows(
        messages.map((message) => [
          ...shared,
          message.seq,
          message.role,
          message.text,
          message.at,
          message.id,
        ]),
      );
    },
  };
};

export const formatNamed = (name: 'jsonl' | 'csv', escapesFormulas: boolean): Format =>
  name === 'jsonl' ? jsonl : csv(escapesFormulas);
