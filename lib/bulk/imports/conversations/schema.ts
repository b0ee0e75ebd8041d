import * as z from 'zod';
import { endReason, newConversationFields } from '../../../conversations/schema/conversation.ts';
import { newMessage } from '../../../conversations/schema/message.ts';
import { conversationExternalId } from '../../../conversations/schema/values.ts';
import { id, pastTime } from '../../../schema/common.ts';

/** A message has its own time: a default would be another time when the import is repeated. */
export const importedMessage = newMessage
  .extend({
    at: pastTime().meta({ description: 'When it was said. At most 5 minutes in the future.' }),
  })
  .meta({ id: 'ImportedMessage', description: 'A message, as it is imported.' });
export type ImportedMessage = z.infer<typeof importedMessage>;

/** The fields of an imported conversation, without its identity and its messages. */
export const importedFields = {
  ...newConversationFields,
  startedAt: pastTime().meta({ description: 'When it started. At most 5 minutes in the future.' }),
  endedAt: pastTime()
    .nullable()
    .optional()
    .meta({
      description:
        'When it ended: not before its start or its last message. Without it, or with null, the conversation is active, and times out ' +
        'after the import.',
    }),
  endReason: endReason.nullable().optional().meta({
    description: 'Why it ended. Default: `completed`. Only with `endedAt`.',
    example: 'completed',
  }),
};

const sent = z.strictObject(importedFields);
export type ImportedFields = z.infer<typeof sent>;

const maxConversations = 25;
/** The limit counts the messages of all conversations of a request. A conversation that exists is compared with the stored conversation. */
export const maxImportedMessages = 1000;

/** The conversations of one request. */
export const importedConversations = z
  .array(
    z
      .strictObject({
        ...importedFields,
        externalId: conversationExternalId,
        messages: z.array(importedMessage).meta({
          // The endpoint checks it, because more messages are 413 `import_too_large`.
          maxItems: maxImportedMessages,
          description:
            'Its messages, in order. Each `clientMessageId` is unique. Their times need no order, and may be before the start.',
        }),
      })
      .meta({
        id: 'ImportedConversation',
        description: 'A conversation with its messages, as it is imported.',
      }),
  )
  .min(1, 'must have at least one conversation')
  .max(maxConversations, `must have at most ${maxConversations} conversations`)
  .check(({ value, issues }) => {
    const seen = new Set<string>();
    for (const [index, { externalId: input }] of value.entries()) {
      const path = [index, 'externalId'];
      if (seen.has(input)) issues.push({ code: 'custom', message: 'must be unique', path, input });
      seen.add(input);
    }
  })
  .meta({ description: 'The conversations with their messages.' });

export const ImportedConversations = z
  .object({
    results: z
      .array(
        z
          .object({
            index: z
              .int()
              .meta({ description: 'The place of the conversation in the request, from 0.', example: 0 }),
            id: id('conversation'),
            outcome: z.enum(['created', 'unchanged']).meta({
              id: 'ImportOutcome',
              description:
                'The effect of the request. `unchanged` means that the conversation was stored before, perhaps by an earlier ' +
                'attempt.',
              example: 'created',
            }),
          })
          .meta({ id: 'ImportedConversationResult', description: 'The result for one conversation.' }),
      )
      .meta({ description: 'The result for each conversation.' }),
  })
  .meta({
    id: 'ImportedConversations',
    description: 'One result per conversation, in the order of the request.',
  });
