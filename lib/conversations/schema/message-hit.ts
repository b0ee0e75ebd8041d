import * as z from 'zod';
import { id, listOf, shownCount, shownTime } from '../../schema/common.ts';
import { messageRoles } from './message-role.ts';

const offset = (description: string, example: number) => shownCount().meta({ description, example });

export const MessageHit = z
  .object({
    conversationId: id('conversation'),
    messageId: id('message'),
    seq: shownCount().meta({ description: 'Its place in the conversation.', example: 1 }),
    role: z.enum(messageRoles).meta({ example: 'user' }),
    at: shownTime(),
    snippet: z.string().meta({
      description:
        'About 240 characters of the text around what was found, in one line, with `…` where something is left out.',
      example: 'Where is my order?',
    }),
    matches: z
      .array(
        z.object({
          start: offset('Of its first code unit.', 12),
          end: offset('Behind its last one.', 17),
        }),
      )
      .meta({
        description:
          'What was found, in order: offsets into the snippet, in UTF-16 code units as strings of JavaScript and Java ' +
          'have them. A phrase is one match. What lies outside of the snippet is left out.',
      }),
  })
  .meta({ id: 'MessageHit', description: 'A message that has what was searched for.' });

export const MessageHits = listOf(MessageHit)
  .extend({
    indexedThrough: shownTime()
      .nullable()
      .meta({
        description:
          'The latest `createdAt` among the messages of this project that have been indexed; null before the first. ' +
          'Messages are indexed within seconds of being stored, those of one conversation in their order, those of ' +
          'several side by side: one that was stored shortly before this time may still be missing.',
      }),
  })
  .meta({ id: 'MessageHitList' });
