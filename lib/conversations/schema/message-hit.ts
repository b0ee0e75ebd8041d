import * as z from 'zod';
import { id, listOf, shownCount, shownTime } from '../../schema/common.ts';
import { TextSpan } from '../../schema/text-span.ts';
import { messageRole } from './values.ts';

export const MessageHit = z
  .object({
    conversationId: id('conversation'),
    messageId: id('message'),
    seq: shownCount().meta({ description: 'The number of the message in the conversation.', example: 1 }),
    role: messageRole,
    at: shownTime().meta({ description: 'When it was said.' }),
    snippet: z.string().meta({
      description: 'About 240 characters around the match, on one line. `…` marks omitted text.',
      example: 'Where is my order?',
    }),
    matches: z.array(TextSpan).meta({
      description:
        'The matches in the snippet, in order. Offsets count UTF-16 code units, as JavaScript and Java do. ' +
        'A phrase is one match.',
    }),
  })
  .meta({ id: 'MessageHit', description: 'A message that matches the query.' });

export const MessageHits = listOf(MessageHit)
  .extend({
    indexedThrough: shownTime()
      .nullable()
      .meta({
        description:
          "The latest `createdAt` of the project's indexed messages; null before the first. Messages are " +
          'indexed within seconds, in order within a conversation, but in parallel between conversations. So ' +
          'a message stored shortly before this time may still be missing.',
      }),
  })
  .meta({ id: 'MessageHitList', description: 'A page of messages that match the query.' });
