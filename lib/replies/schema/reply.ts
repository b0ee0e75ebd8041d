import * as z from 'zod';
import { clientMessageId, messageText } from '../../conversations/schema/message.ts';
import { Citation } from '../../schema/citation.ts';
import { id, shownCount, shownCredential, shownTime } from '../../schema/common.ts';
import { environmentName } from '../../schema/names.ts';
import { searchMode } from '../../search/schema/search.ts';

export const replyStatuses = ['queued', 'running', 'done', 'failed', 'cancelled', 'unknown'] as const;
export type ReplyStatus = (typeof replyStatuses)[number];

const oneOf = (names: readonly string[]) => (value: object) =>
  names.filter((name) => (value as Record<string, unknown>)[name] !== undefined).length === 1;

export const target = z
  .strictObject({
    environment: environmentName.optional().meta({
      description:
        'The deployment that this environment serves answers. While a rollout runs, the `assignment` of the conversation decides which.',
    }),
    deploymentId: id('deployment').optional().meta({ description: 'This deployment answers.' }),
    draft: z
      .boolean()
      .refine((isDraft) => isDraft, 'must be true')
      .optional()
      .meta({
        description:
          'The current version of the avatar answers, with the published index. The conversation must have `test: true`.',
      }),
  })
  .refine(oneOf(['environment', 'deploymentId', 'draft']), {
    error: 'must have one of environment, deploymentId and draft',
    when: ({ issues }) => issues.length === 0,
  })
  .meta({
    id: 'ReplyTarget',
    description: 'What answers: exactly one of its fields. Default: the deployment of the conversation.',
    minProperties: 1,
    maxProperties: 1,
  });

export const newReply = z
  .strictObject({
    input: z
      .strictObject({ text: messageText, clientMessageId: clientMessageId.nullable().optional() })
      .optional()
      .meta({ id: 'ReplyInput', description: 'The message of the user.' }),
    retryOf: id('reply')
      .optional()
      .meta({
        description:
          'The last reply of the conversation, if it is `failed`, `cancelled` or `unknown`: the same message of the user is answered again. ' +
          'Send it in place of `input`.',
      }),
    target: target.optional(),
    maxCostUsd: z
      .number()
      .positive('must be above 0')
      .max(1000, 'must be at most 1000')
      .optional()
      .meta({ description: 'The most that the answer of the model may cost, in US dollars.', example: 0.05 }),
    dryRun: z.boolean().optional().meta({
      description:
        'With true, no message is stored and no model is called: the reply has the complete `request` for an hour.',
    }),
  })
  .refine(oneOf(['input', 'retryOf']), {
    error: 'must have either input or retryOf',
    when: ({ issues }) => issues.length === 0,
  })
  .meta({ id: 'ReplyRequest', description: 'What to answer, and what answers.' });

export type NewReply = z.infer<typeof newReply>;

const usd = z.number().meta({ description: 'US dollars.', example: 0.0021 });

const Failure = z
  .object({
    code: z
      .string()
      .meta({ description: 'Why there is no answer, as a code.', example: 'model_unavailable' }),
    message: z
      .string()
      .meta({ description: 'Why there is no answer.', example: 'The model is not available.' }),
  })
  .meta({ id: 'ReplyFailure', description: 'Why a reply has no answer.' });

export const ReplyPassage = z
  .object({
    number: shownCount().meta({ description: 'Its number in the request, from 1.', example: 1 }),
    pieceId: z.string().meta({ description: 'The id of the piece, as in the search.' }),
    documentId: id('knowledgeDocument'),
    title: z.string().meta({ description: 'The title of the document.', example: 'Returns' }),
    page: z
      .int()
      .nullable()
      .meta({ description: 'The page of the document. Null without pages.', example: 12 }),
    score: z.number().meta({ description: 'How well it matches, as in the search.', example: 12.4 }),
    cited: z.boolean().meta({ description: 'Whether the answer cites it.', example: true }),
  })
  .meta({ id: 'ReplyPassage', description: 'A passage of a document that the model got.' });

const RequestMessage = z
  .object({
    role: z.enum(['user', 'assistant']).meta({ description: 'Who says it to the model.' }),
    content: z.array(z.string()).meta({ description: 'Its blocks of text.' }),
  })
  .meta({ id: 'ReplyRequestMessage', description: 'A message to the model.' });

export const ModelRequest = z
  .object({
    modelId: z.string().meta({ description: 'The id of the model.' }),
    system: z
      .array(z.string())
      .meta({ description: 'The instructions: the frame of the service, and the persona.' }),
    messages: z
      .array(RequestMessage)
      .meta({ description: 'The conversation, with the passages in the last message.' }),
    maxTokens: shownCount().meta({ description: 'The most tokens of the answer.', example: 1024 }),
    temperature: z
      .number()
      .optional()
      .meta({ description: 'The temperature, if the avatar has one.', example: 0.3 }),
    highestCostUsd: usd.meta({ description: 'The most that the call can cost.' }),
  })
  .meta({ id: 'ReplyModelRequest', description: 'The complete request to the model.' });

/** The reply without its text. */
export const ListedReply = z
  .object({
    id: id('reply'),
    conversationId: id('conversation'),
    status: z.enum(replyStatuses).meta({
      id: 'ReplyStatus',
      isOpen: true,
      description:
        '`unknown`: the model was asked, and its answer was lost. It is not asked again by itself, because it may have cost.',
    }),
    dryRun: z.boolean().meta({ description: 'Whether no model is called.', example: false }),
    inputMessageId: id('message')
      .nullable()
      .meta({ description: 'The message of the user that it answers. Null for a dry run.' }),
    retryOf: id('reply').nullable().meta({ description: 'The reply whose message it answers again.' }),
    environment: z
      .string()
      .nullable()
      .meta({ description: 'The environment that the request named.', example: 'production' }),
    deploymentId: id('deployment')
      .nullable()
      .meta({ description: 'The id of the deployment that answers. Null for a draft.' }),
    draft: z.boolean().meta({ description: 'Whether the draft answers.', example: false }),
    avatarId: id('avatar'),
    avatarVersion: z.int().nullable().meta({
      description: 'The version of the avatar that answers. Null before the start of a draft.',
      example: 3,
    }),
    indexVersion: z
      .string()
      .nullable()
      .meta({ description: 'The index version that was searched. Null for none.' }),
    maxCostUsd: usd.nullable().meta({ description: 'The `maxCostUsd` of the request.' }),
    messageId: id('message')
      .nullable()
      .meta({ description: 'The message with the answer. Null if there is none.' }),
    citations: z.array(Citation).meta({ description: 'The documents that the answer cites.' }),
    passages: z.array(ReplyPassage).meta({ description: 'The passages that the model got, best first.' }),
    removedMarkers: shownCount().meta({
      description: 'How many numbers the model has cited that no passage has. They are not in the text.',
      example: 0,
    }),
    leftOutMessages: shownCount().meta({
      description: 'How many earlier messages had no room in the request.',
      example: 0,
    }),
    model: z.string().nullable().meta({ description: 'The id of the model.', example: 'local.extract' }),
    inputTokens: z
      .int()
      .nullable()
      .meta({ description: 'The tokens of the request. Null if unknown.', example: 1210 }),
    outputTokens: z
      .int()
      .nullable()
      .meta({ description: 'The tokens of the answer. Null if unknown.', example: 85 }),
    costUsd: usd.nullable().meta({
      description:
        'What it has cost. If this is unknown, the highest cost stays counted. Null before the end.',
    }),
    finishReason: z.enum(['stop', 'length']).nullable().meta({
      isOpen: true,
      description: '`length`: the answer was cut off at the limit. Null without an answer.',
    }),
    firstTextMs: z
      .int()
      .nullable()
      .meta({ description: 'The milliseconds from the request until the first text.', example: 640 }),
    totalMs: z
      .int()
      .nullable()
      .meta({ description: 'The milliseconds from the request until the end.', example: 2210 }),
    mode: searchMode.nullable().meta({
      isOpen: true,
      description:
        'How the index was searched. `lexical` if a worker that has just started is still loading the model of meanings. Null without an index.',
    }),
    failure: Failure.nullable(),
    createdAt: shownTime().meta({ description: 'When it was requested.' }),
    startedAt: shownTime().nullable().meta({ description: 'When its work began. Null while it is queued.' }),
    finishedAt: shownTime().nullable().meta({ description: 'When it ended. Null before.' }),
    createdBy: shownCredential().meta({ description: 'The credential that requested it.' }),
  })
  .meta({ id: 'ListedReply', description: 'A reply of an avatar, without its text.' });

export const Reply = ListedReply.extend({
  text: z.string().meta({
    description:
      'The text of the answer after `after`, without markers of citations. What was read is never changed. The text of a reply without ' +
      'a message can be read for 24 hours.',
    example: 'You can send it back within 30 days.',
  }),
  nextAfter: shownCount().meta({
    description: 'Send it as `after` to get the following text. It counts UTF-16 code units.',
    example: 36,
  }),
  request: ModelRequest.nullable().meta({
    description: 'The request to the model, for an hour after the end of a dry run. Otherwise null.',
  }),
}).meta({ id: 'Reply', description: 'A reply of an avatar to a message of a user.' });

export type Reply = z.infer<typeof Reply>;
export type ListedReply = z.infer<typeof ListedReply>;
export type ModelRequest = z.infer<typeof ModelRequest>;
