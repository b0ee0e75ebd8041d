/** The formats of a conversation with its messages in a file. */

import type { Conversation, Message } from '../../../clients/typescript/src/index.ts';
import { safeJson } from '../output/text.ts';
import { csvRows } from './csv.ts';

export type Transcript = { conversation: Conversation; messages: Message[] };

export type Format = {
  /** The start of the file. */
  head: string;
  /** @returns one conversation, with line ends */
  record: (transcript: Transcript) => string;
};

/** The file has a line for each conversation. */
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
 * The file has a row for each message. A conversation without messages has one row, whose last five columns are empty.
 * @param escapesFormulas as in `csvRows`
 */
const csv = (escapesFormulas: boolean): Format => {
  const rows = (values: unknown[][]) => csvRows(values, escapesFormulas);
  return {
    head: rows([columns]),
    record({ conversation, messages }) {
      const { id, avatarId, externalUserId, channel, tags, status, startedAt, endedAt, endReason } =
        conversation;
      const conversationCells = [
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
      if (messages.length === 0) return rows([[...conversationCells, '', '', '', '', '']]);
      return rows(
        messages.map((message) => [
          ...conversationCells,
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
