import * as z from 'zod';
import { id, shownCount, shownTime } from '../../schema/common.ts';
import { name, text } from '../../schema/text.ts';
import { messageRoles } from './values.ts';

const maxTextBytes = 16 * 1024;

export const citationTitle = text(200);
export const citationSnippet = text(500);

const Citation = z
  .object({
    documentId: id('knowledgeDocument'),
    title: citationTitle.nullable().meta({ example: 'Returns' }),
    snippet: citationSnippet.nullable().meta({ example: 'Within 30 days of delivery…' }),
  })
  .meta({ id: 'Citation', description: 'A document that the message is based on.' });

export const messageText = z
  .string()
  .min(1, 'must not be empty')
  .refine(
    (value) => Buffer.byteLength(value) <= maxTextBytes,
    `must be at most ${maxTextBytes} bytes of UTF-8`,
  )
  .refine((value) => value.isWellFormed(), 'must be well-formed Unicode')
  .meta({ description: 'At most 16 KB of UTF-8.', maxLength: maxTextBytes, example: 'Where is my order?' });

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
    role: z.enum(messageRoles).meta({ example: 'user' }),
    text: messageText,
    at: shownTime(),
    clientMessageId: clientMessageId.nullable(),
    citations: z.array(Citation),
    createdAt: shownTime(),
  })
  .meta({ id: 'Message' });

export type Message = z.infer<typeof Message>;
