import * as z from 'zod';
import { id, pastTime } from '../../schema/common.ts';
import {
  citationPage,
  citationSnippet,
  citationTitle,
  clientMessageId,
  Message,
  messageText,
} from './message.ts';
import { messageRole } from './values.ts';

const maxMessagesAtOnce = 25;
const maxCitations = 20;

export const newMessage = z
  .strictObject({
    role: messageRole,
    text: messageText,
    at: pastTime().optional().meta({
      description: 'When it was said. Default: now. At most 5 minutes in the future.',
    }),
    clientMessageId: clientMessageId.nullable().optional(),
    citations: z
      .array(
        z
          .strictObject({
            documentId: id('knowledgeDocument').meta({ description: 'The id of the cited document.' }),
            title: citationTitle.nullable().optional(),
            snippet: citationSnippet.nullable().optional(),
            page: citationPage.nullable().optional(),
          })
          .meta({ id: 'CitationInput', description: 'A document that the message is based on.' }),
      )
      .max(maxCitations, `must have at most ${maxCitations} citations`)
      .optional()
      .meta({ description: 'The documents that the message is based on.' }),
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
