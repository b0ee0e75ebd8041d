import * as z from 'zod';
import { Citation, maxCitations, sentCitation } from '../../schema/citation.ts';
import { id, pastTime, shownCount, shownTime } from '../../schema/common.ts';
import { messageMetadata } from '../../schema/metadata.ts';
import { name } from '../../schema/text.ts';
import { messageRole } from './values.ts';

export const maxTextBytes = 16 * 1024;

export const messageText = z
  .string()
  .min(1, 'must not be empty')
  .refine(
    (value) => Buffer.byteLength(value) <= maxTextBytes,
    `must be at most ${maxTextBytes} bytes of UTF-8`,
  )
  .refine((value) => value.isWellFormed(), 'must be well-formed Unicode')
  .meta({
    description: 'The text of the message: at most 16 KB of UTF-8.',
    maxLength: maxTextBytes,
    example: 'Where is my order?',
  });

export const clientMessageId = name(255).meta({
  description:
    'Your own id of the message, unique in the conversation. A message that is sent again with the same ' +
    'id is stored once.',
  example: 'm-1',
});

export const Message = z
  .object({
    id: id('message'),
    seq: shownCount().meta({
      description: 'The number of the message in the conversation: 1, 2, 3, without gaps.',
      example: 1,
    }),
    role: messageRole,
    text: messageText,
    at: shownTime().meta({ description: 'When it was said.' }),
    clientMessageId: clientMessageId.nullable(),
    citations: z.array(Citation).meta({ description: 'The documents that the message is based on.' }),
    metadata: messageMetadata,
    createdAt: shownTime().meta({ description: 'When the message was stored.' }),
  })
  .meta({ id: 'Message', description: 'A message of a conversation.' });

export type Message = z.infer<typeof Message>;

const maxMessagesAtOnce = 25;

export const newMessage = z
  .strictObject({
    role: messageRole,
    text: messageText,
    at: pastTime().optional().meta({
      description: 'When it was said. Default: now. At most 5 minutes in the future.',
    }),
    clientMessageId: clientMessageId.nullable().optional(),
    citations: z
      .array(sentCitation)
      .max(maxCitations, `must have at most ${maxCitations} citations`)
      .optional()
      .meta({ description: 'The documents that the message is based on.' }),
    metadata: messageMetadata.optional(),
  })
  .meta({ id: 'MessageInput', description: 'A message to store.' });

export type NewMessage = z.infer<typeof newMessage>;

export const newMessages = z
  .array(newMessage)
  .min(1, 'must have at least one message')
  .max(maxMessagesAtOnce, `must have at most ${maxMessagesAtOnce} messages`)
  .meta({ description: 'The messages, in order.' });

export const AppendedMessages = z
  .object({
    messages: z
      .array(
        Message.extend({
          duplicate: z.boolean().meta({
            description:
              'Whether the message was already stored under its `clientMessageId`, so that nothing was added.',
            example: false,
          }),
        }).meta({ id: 'AppendedMessage', description: 'A message, and whether it was already stored.' }),
      )
      .meta({ description: 'The messages as they are stored.' }),
  })
  .meta({ id: 'AppendedMessages', description: 'One result per message, in the order of the request.' });
