/** Plans the writes for a piece of a file. A plan reads the current state, so it can be repeated. */

import { ApiError } from '../../base/errors.ts';
import { derivedId, type IdKind, timeOfId } from '../../base/ids.ts';
import { countMessages } from '../../conversations/append.ts';
import type { Message } from '../../conversations/schema/message.ts';
import { assertOrder, maxClockSkewMs } from '../../conversations/sent-conversation.ts';
import { changeConversation } from '../../conversations/store/changes.ts';
import {
  type FoundConversation,
  findMany,
  findManyByExternalId,
  type NamedConversation,
  type ProjectStore,
  type StoredConversation,
  tombstones,
} from '../../conversations/store/conversations.ts';
import { addMessages, getByClientIds, getMessagesAt } from '../../conversations/store/messages.ts';
import { isWithin } from '../../conversations/store/ownership.ts';
import { activityOf } from '../../conversations/store/state.ts';
import type { StoredProject } from '../../projects/store.ts';
import type { Write } from '../../workers/worker.ts';
import {
  areSameMessages,
  describeMismatch,
  importConversation,
  importMessages,
  matchImport,
  storeImported,
} from './conversations/import.ts';
import type { ImportedFields, ImportedMessage } from './conversations/schema.ts';
import type { Piece } from './pieces.ts';
import { invalidLine, type Line, LineProblem } from './read-line.ts';

/** The conversation of the last line, whose further pieces and lines follow. */
export type Current = {
  /** Null for a line without an id. */
  sourceId: string | null;
  /** Null if the line failed. */
  id: string | null;
  /** The number of its messages so far. */
  messages: number;
};

export type Plan = {
  writes: Write<never>[];
  /** The effect of the piece on a conversation that begins in it. */
  outcome?: 'created' | 'unchanged';
  added: readonly Message[];
  problem?: LineProblem;
  current: Current;
};

export type Context = {
  store: ProjectStore;
  project: StoredProject;
  /** Whose conversations they are. */
  createdBy: string;
  /** The environments of the credential that has requested the import; null for all. */
  environments: readonly string[] | null;
  nowMs: number;
  newId: (kind: IdKind) => string;
};

/**
 * The ids of imported conversations are derived, so that each is stored once. They have the time of its start, as every id of
 * a conversation has.
 */
const idFromSource = (projectId: string, sourceId: string): string =>
  derivedId('conversation', timeOfId(sourceId), [projectId, 'source', sourceId]);
const idFromName = (projectId: string, externalId: string, startedAtMs: number): string =>
  derivedId('conversation', startedAtMs, [projectId, 'external', externalId]);

/** @param current the conversation of the piece before. @returns the writes; no writes with a problem */
export async function planPiece(piece: Piece, current: Current | undefined, context: Context): Promise<Plan> {
  const { line, part } = piece;
  const problemPlan = (problem: LineProblem): Plan => ({
    writes: [],
    added: [],
    problem,
    current: {
      sourceId: line instanceof LineProblem ? null : (line.sourceId ?? null),
      id: null,
      messages: 0,
    },
  });
  if (line instanceof LineProblem) return problemPlan(line);
  try {
    return part === 0 && line.fields
      ? await planFirst(piece, line, line.fields, context)
      : await planFurther(piece, line, current, context);
  } catch (error) {
    if (error instanceof LineProblem) return problemPlan(error);
    if (!(error instanceof ApiError) || error.code !== 'validation_error') throw error;
    const [detail] = error.details ?? [];
    return problemPlan(invalidLine(detail?.path ?? '', detail?.message ?? ''));
  }
}

async function planFirst(
  { from, to }: Piece,
  line: Line,
  fields: ImportedFields,
  context: Context,
): Promise<Plan> {
  const { store } = context;
  const { sourceId, externalId } = line;
  const id =
    sourceId === undefined
      ? idFromName(store.projectId, externalId ?? '', fields.startedAt)
      : idFromSource(store.projectId, sourceId);
  const importPart = (messages: readonly ImportedMessage[]) =>
    importConversation({ ...fields, externalId, messages }, importContext(context, id), maxClockSkewMs);
  // The whole line is checked before some of it is stored.
  importPart(line.messages);
  const { named, found } = await find(line, id, context);
  await requireWithin(context, fields.deploymentId ?? null, notDeployed);
  const allFound = [...(named ? [named] : []), ...found];
  for (const { conversation } of allFound)
    await requireWithin(context, conversation?.deploymentId ?? null, alreadyTaken);
  const match = matchImport({ ...fields, externalId }, allFound);
  if (match.kind === 'erased') throw erasedProblem();
  if (match.kind === 'stored') {
    const { conversation: existing, differing } = match;
    if (differing.length > 0) throw mismatch(existing, differing);
    const { added, writes } = await addMissing(existing, line.messages.slice(from, to), 0, context);
    return {
      writes,
      outcome: 'unchanged',
      added,
      current: { sourceId: sourceId ?? null, id: existing.id, messages: to },
    };
  }
  const created = importPart(line.messages.slice(from, to));
  // An externalId has a pointer, whose condition fails if the conversation is stored and erased meanwhile.
  const notErased =
    externalId === null ? [tombstones.at(store).check(id, { condition: { kind: 'absent' } })] : [];
  return {
    writes: [...storeImported(store, created, named), ...notErased],
    outcome: 'created',
    added: created.messages,
    current: { sourceId: sourceId ?? null, id, messages: to },
  };
}

async function planFurther(
  { part, from, to }: Piece,
  line: Line,
  current: Current | undefined,
  context: Context,
): Promise<Plan> {
  const { store } = context;
  const sourceId = line.sourceId ?? null;
  const previous = current && (part > 0 || current.sourceId === sourceId) ? current : undefined;
  if (previous?.id === null) {
    throw new LineProblem('conversation_not_imported', 'An earlier line of the conversation failed.');
  }
  const afterSeq = (part > 0 ? undefined : line.firstSeq && line.firstSeq - 1) ?? previous?.messages;
  const ids = previous
    ? [previous.id]
    : sourceId === null
      ? []
      : [sourceId, idFromSource(store.projectId, sourceId)];
  const foundById = await findMany(store, ids, context);
  if ([...foundById.values()].some(({ isErased }) => isErased)) {
    throw erasedProblem();
  }
  const existing = [...foundById.values()]
    .map(({ conversation }) => conversation)
    .find((one) => one !== undefined);
  if (!existing || afterSeq === undefined) throw missing();
  await requireWithin(context, existing.deploymentId, missing);
  const { added, writes } = await addMissing(existing, line.messages.slice(from, to), afterSeq, context);
  return {
    writes,
    added,
    current: { sourceId, id: existing.id, messages: afterSeq + to - from },
  };
}

const importContext = ({ project, createdBy, nowMs, newId }: Context, conversationId: string) => ({
  caller: { principal: createdBy },
  project,
  nowMs,
  newId: (kind: IdKind) => (kind === 'conversation' ? conversationId : newId(kind)),
});

async function find(
  { sourceId, externalId }: Line,
  id: string,
  { store, ...context }: Context,
): Promise<{ named: NamedConversation | undefined; found: FoundConversation[] }> {
  const names = externalId === null ? [] : [externalId];
  const ids = sourceId === undefined ? [id] : [sourceId, id];
  const [named, found] = await Promise.all([
    names.length === 0 ? undefined : findManyByExternalId(store, names, context),
    findMany(store, ids, context),
  ]);
  return { named: named?.get(externalId ?? ''), found: [...found.values()] };
}

/**
 * Adds the messages that the conversation does not have yet.
 * @param afterSeq the number of messages before these
 * @throws LineProblem if the conversation has other messages in their place
 */
async function addMissing(
  conversation: StoredConversation,
  messagesOfLine: readonly ImportedMessage[],
  afterSeq: number,
  context: Context,
): Promise<{ added: Message[]; writes: Write<never>[] }> {
  const { store, project, nowMs } = context;
  const { id, messageCount } = conversation;
  if (afterSeq > messageCount) {
    throw new LineProblem('conversation_missing', 'Messages before those of the line are not stored.');
  }
  const messages = importMessages(messagesOfLine, afterSeq, context);
  const overlap = messages.filter(({ seq }) => seq <= messageCount);
  const storedMessages = await getMessagesAt(
    store,
    overlap.map(({ seq }) => ({ conversationId: id, seq })),
  );
  if (!areSameMessages(overlap, storedMessages)) throw mismatch(conversation, ['messages']);
  const added = messages.filter(({ seq }) => seq > messageCount);
  if (added.length === 0) return { added, writes: [] };
  const clientIds = added.flatMap(({ clientMessageId }) => clientMessageId ?? []);
  if (clientIds.length > 0 && (await getByClientIds(store, id, clientIds)).size > 0) {
    throw invalidLine('messages', 'must have a clientMessageId of their own');
  }
  const counts = countMessages(conversation, added);
  const { endedAt, startedAt } = conversation;
  if (endedAt !== null) assertOrder(Date.parse(endedAt), { startedAt, ...counts }, maxClockSkewMs);
  const changes = { ...counts, ...activityOf(conversation, project, nowMs) };
  return {
    added,
    writes: [
      ...changeConversation(store, conversation, changes),
      ...addMessages(store, conversation, added, undefined),
    ],
  };
}

/** Only an import of a credential that is bound to environments reads the deployment. @throws LineProblem */
async function requireWithin(
  { store, environments }: Context,
  deploymentId: string | null,
  problem: () => LineProblem,
): Promise<void> {
  if (!(await isWithin(store, { environments }, deploymentId))) throw problem();
}

const missing = (): LineProblem =>
  new LineProblem('conversation_missing', 'The line continues a conversation that is not stored.');

/** It does not say whether the deployment exists. */
const notDeployed = (): LineProblem =>
  new LineProblem('not_found', 'Its deployment is in none of the environments of the credential.');

const alreadyTaken = (): LineProblem =>
  new LineProblem(
    'external_id_taken',
    'Its id or externalId belongs to a conversation of another environment.',
  );

const erasedProblem = (): LineProblem =>
  new LineProblem('conversation_erased', 'It was erased. It is not imported again.');

const mismatch = (conversation: StoredConversation, differing: readonly string[]): LineProblem =>
  new LineProblem('conversation_mismatch', `It ${describeMismatch(conversation, differing)}`);
