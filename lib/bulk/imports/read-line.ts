/** A line of a file that is imported: a conversation, or further messages of a conversation. Pure. */

import * as z from 'zod';
import '../../base/zod-config.ts';
import { timeOfId } from '../../base/ids.ts';
import { ForbiddenField, parseJson } from '../../base/json.ts';
import { conversationExternalId } from '../../conversations/schema/values.ts';
import { id } from '../../schema/common.ts';
import {
  type ImportedFields,
  type ImportedMessage,
  importedFields,
  importedMessage,
} from './conversations/schema.ts';

/** Fields that an export writes, and that an import makes anew. */
const ignoredField = z.unknown().optional();

const message = importedMessage.extend({
  id: ignoredField,
  createdAt: ignoredField,
  seq: z.int().min(1).optional(),
});

const conversation = z.strictObject({
  ...importedFields,
  id: id('conversation').optional(),
  externalId: conversationExternalId.nullable().optional(),
  messages: z.array(z.unknown()).optional(),
  // An imported conversation is in no rollout.
  assignment: ignoredField,
  counted: ignoredField,
  status: ignoredField,
  scores: ignoredField,
  messageCount: ignoredField,
  messageCountByRole: ignoredField,
  durationSeconds: ignoredField,
  firstMessageAt: ignoredField,
  lastMessageAt: ignoredField,
  lastActivityAt: ignoredField,
  createdAt: ignoredField,
  updatedAt: ignoredField,
  createdBy: ignoredField,
});

/** What a line and its messages have. The command line shortens what is too long for them. */
export const lineSchemas = { conversation, message };

const furtherMessages = z.strictObject({ id: id('conversation'), messages: z.array(z.unknown()).min(1) });

export type Line = {
  /** The id of the conversation where it was exported. */
  sourceId: string | undefined;
  externalId: string | null;
  /** Undefined for a line with further messages. */
  fields: ImportedFields | undefined;
  messages: ImportedMessage[];
  /** The `seq` of the first message, if the line has it. */
  firstSeq: number | undefined;
};

/** Why a line is not imported. The message contains only names of fields, and no other content of the line. */
export class LineProblem extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const maxMessageLength = 200;
export const invalidLine = (path: string, message: string): LineProblem =>
  new LineProblem('validation_error', `${path}: ${message}`.slice(0, maxMessageLength));

/** @param bytes undefined if the line is too long. @throws LineProblem */
export function readLine(bytes: Uint8Array | undefined, maxLineBytes: number): Line {
  if (!bytes) throw new LineProblem('line_too_long', `The line has more than ${maxLineBytes} bytes.`);
  const value = parseBytes(bytes);
  const isFurther =
    typeof value === 'object' && value !== null && Object.keys(value).length === 2 && 'id' in value;
  if (isFurther) {
    const { id: sourceId, messages } = parse(furtherMessages, value, '');
    return { sourceId, externalId: null, fields: undefined, ...readMessages(messages) };
  }
  const line = parse(conversation, value, '');
  const { id: sourceId, externalId = null, messages = [] } = line;
  const { avatarId, externalUserId, channel, tags, metadata, deploymentId, test } = line;
  const { startedAt, endedAt, endReason } = line;
  if (sourceId === undefined && externalId === null) {
    throw invalidLine('externalId', 'is required, or the id of an exported conversation');
  }
  if (sourceId !== undefined && timeOfId(sourceId) !== startedAt) {
    throw invalidLine('startedAt', 'must be the time in the id');
  }
  const fields = {
    avatarId,
    externalUserId,
    channel,
    tags,
    metadata,
    deploymentId,
    test,
    startedAt,
    endedAt,
    endReason,
  };
  const messageFields = readMessages(messages);
  if (messageFields.firstSeq !== undefined && messageFields.firstSeq !== 1) {
    throw invalidLine('messages.0.seq', 'must be 1');
  }
  return { sourceId, externalId, fields, ...messageFields };
}

function parseBytes(bytes: Uint8Array): unknown {
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    if (error instanceof ForbiddenField) throw invalidLine('the line', error.message);
    throw new LineProblem('invalid_json', 'The line is not JSON in UTF-8.');
  }
}

/** No list or object of a line may have so many members, except its messages. */
const maxMembers = 1000;

/** A schema notes every mistake before it fails, so a value that is much too long is refused before the schema is used. */
function parse<Schema extends z.ZodType>(schema: Schema, value: unknown, path: string): z.output<Schema> {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  for (const [name, member] of isObject ? Object.entries(value) : []) {
    if (typeof member !== 'object' || member === null || name === 'messages') continue;
    const size = Array.isArray(member) ? member.length : Object.keys(member).length;
    if (size > maxMembers) throw invalidLine(path + name, `must have at most ${maxMembers} members`);
  }
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  const [issue] = error.issues;
  const place = `${path}${issue?.path.join('.') ?? ''}`.replace(/\.$/, '');
  throw invalidLine(place || 'the line', issue?.message ?? 'is not valid');
}

/** @throws LineProblem for the first message that is not valid */
function readMessages(sent: readonly unknown[]): Pick<Line, 'messages' | 'firstSeq'> {
  const messages = sent.map((one, index) => parse(message, one, `messages.${index}.`));
  const firstSeq = messages[0]?.seq;
  for (const [index, { seq }] of messages.entries()) {
    if (seq !== (firstSeq === undefined ? undefined : firstSeq + index)) {
      throw invalidLine(`messages.${index}.seq`, 'must follow the one before');
    }
  }
  return { messages: messages.map(({ id: _, createdAt: __, seq: ___, ...sent }) => sent), firstSeq };
}
