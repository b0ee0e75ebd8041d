/** How a conversation with its messages looks in a file. */

import { stringify } from 'csv-stringify/sync';
import type { Conversation, Message } from '../../../clients/typescript/src/index.ts';
import { safeJson } from '../output/text.ts';

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
 * A row for each message (RFC 4180). A conversation without messages has one row, whose last five columns are empty.
 * @param escapesFormulas whether a cell that a spreadsheet would calculate gets a `'` in front of it: users type messages, and
 * `=HYPERLINK(…)` can send data elsewhere (https://owasp.org/www-community/attacks/CSV_Injection)
 */
const csv = (escapesFormulas: boolean): Format => {
  const rows = (values: unknown[][]) =>
    stringify(values, {
      escape_formulas: escapesFormulas,
      // The library leaves out a line feed at the beginning, which OWASP names too.
      cast: { string: (text) => (escapesFormulas && text.startsWith('\n') ? `'${text}` : text) },
      record_delimiter: 'windows',
      // With a delimiter of our own, the library would not quote cells with only CR or LF.
      quote_record_delimiter: true,
    });
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
