import * as z from 'zod';
import { id, pastTime } from '../../schema/common.ts';
import { citationSnippet, citationTitle, clientMessageId, Message, messageText } from './message.ts';
import { messageRoles } from './values.ts';

const maxMessagesAtOnce = 25;
const maxCitations = 20;

export const newMessage = z.strictObject({
  role: z.enum(messageRoles).meta({ example: 'user' }),
  text: messageText,
  at: pastTime().optional().meta({
    description: 'When it was said. Default: now. At most 5 minutes in the future.',
  }),
  clientMessageId: clientMessageId.nullable().optional(),
  citations: z
    .array(
      z.strictObject({
        documentId: id('knowledgeDocument'),
        title: citationTitle.nullable().optional(),
        snippet: citationSnippet.nullable().optional(),
      }),
    )
    .max(maxCitations, `must have at most ${maxCitations} citations`)
    .optional(),
});

export type NewMessage = z.infer<typeof newMessage>;

export const newMessages = z
  .array(newMessage)
  .min(1, 'must have at least one message')
  .max(maxMessagesAtOnce, `must have at most ${maxMessagesAtOnce} messages`);

export const AppendedMessages = z
  .object({
    messages: z.array(
      Message.extend({
        duplicate: z.boolean().meta({
          description:
            'Whether the message was already stored under its `clientMessageId`, so that nothing was added.',
          example: false,
        }),
      }),
    ),
  })
  .meta({ id: 'AppendedMessages', description: 'One result per message, in the order of the request.' });
