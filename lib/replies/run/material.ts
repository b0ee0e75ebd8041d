/** What a request is made of: the avatar that answers, the passages of its knowledge, and the conversation. */

import { getDeployment } from '../../avatars/deployments/store/deployments.ts';
import { ApiError } from '../../base/errors.ts';
import type { Message } from '../../conversations/schema/message.ts';
import { getMessages } from '../../conversations/store/messages.ts';
import { filterOf } from '../../indexing/search/filters.ts';
import { searchPatienceMs, semanticOf } from '../../indexing/search/meanings.ts';
import { findPieces, searchVersion } from '../../indexing/search/search.ts';
import type { Model } from '../../models/models.ts';
import { type StoredProject, searchFieldsOf } from '../../projects/store.ts';
import { type BuiltRequest, buildRequest } from '../request/build.ts';
import { maxHistoryBytes } from '../request/history.ts';
import { maxPassages, passagesOf } from '../request/passages.ts';
import { searchQuery } from '../request/search-query.ts';
import type { Passage } from '../request/types.ts';
import type { ProjectStore, StoredConversation, StoredReply } from '../store/replies.ts';
import { type Answering, avatarIn, draftOf, modelOf } from '../target.ts';

/** Messages before these are left out without being read. */
const maxHistoryMessages = 200;
const readAtOnce = 25;
const defaultMaxTokens = 1024;

export type Material = BuiltRequest & {
  model: Model;
  avatarVersion: number;
  indexVersion: string | null;
  mode: 'hybrid' | 'lexical' | null;
};

type Input = { tenant: string; models: readonly Model[]; nowMs: number };

/**
 * @throws ApiError if the avatar cannot answer: no_model, model_not_listed, avatar_archived, not_found, deployment_mismatch
 * @returns undefined if the persona and the question alone are too long for the model
 */
export async function gatherMaterial(
  store: ProjectStore,
  reply: StoredReply,
  conversation: StoredConversation,
  project: StoredProject,
  { tenant, models, nowMs }: Input,
): Promise<Material | undefined> {
  const [avatar, messages] = await Promise.all([
    answeringAvatar(store, reply),
    readHistory(store, conversation, reply),
  ]);
  const model = modelOf(avatar, models);
  const question = reply.question ?? messages.at(-1)?.text ?? '';
  const history = reply.question === undefined ? messages.slice(0, -1) : messages;
  const earlier = history.filter(({ role }) => role === 'user').map(({ text }) => text);
  const found = await search(store, reply, avatar, project, searchQuery(question, earlier), {
    tenant,
    nowMs,
  });
  const { temperature, maxTokens = defaultMaxTokens } = avatar.model ?? {};
  const { name, persona } = avatar;
  const built = buildRequest({
    persona: { name, prompt: persona.prompt, language: persona.language },
    model,
    temperature,
    maxTokens: Math.min(maxTokens, model.maxOutputTokens ?? maxTokens),
    history,
    unreadMessages: Math.max(0, reply.inputSeq - messages.length),
    question,
    passages: found.passages,
  });
  return (
    built && {
      ...built,
      model,
      avatarVersion: avatar.version,
      indexVersion: found.indexVersion,
      mode: found.mode,
    }
  );
}

async function answeringAvatar(
  store: ProjectStore,
  { deploymentId, avatarId }: StoredReply,
): Promise<Answering> {
  if (deploymentId === null) return draftOf(store, avatarId);
  const deployment = await getDeployment(store, deploymentId);
  if (!deployment) throw new ApiError('not_found', 'The deployment does not exist.');
  return avatarIn(store, { ...deployment, deploymentId }, avatarId);
}

/** @returns the last messages up to the question, oldest first */
async function readHistory(store: ProjectStore, conversation: StoredConversation, { inputSeq }: StoredReply) {
  const messages: Message[] = [];
  const firstSeq = Math.max(0, inputSeq - maxHistoryMessages);
  let bytes = 0;
  for (let end = inputSeq; end > firstSeq && bytes <= maxHistoryBytes; ) {
    const begin = Math.max(firstSeq, end - readAtOnce);
    const some: Message[] = [];
    // A page of large messages may have fewer than it may.
    for (let afterSeq = begin; afterSeq < end; ) {
      const page = await getMessages(
        store,
        { ...conversation, messageCount: end },
        { afterSeq, limit: readAtOnce },
      );
      some.push(...page);
      afterSeq = page.at(-1)?.seq ?? end;
    }
    messages.unshift(...some);
    bytes += some.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
    end = begin;
  }
  return messages;
}

type Found = { passages: readonly Passage[]; indexVersion: string | null; mode: Material['mode'] };

/** Searches the index of the deployment, or the published one. Without an index, the model answers without passages. */
async function search(
  store: ProjectStore,
  { deploymentId }: StoredReply,
  { knowledgeTags }: Answering,
  project: StoredProject,
  q: string | undefined,
  { tenant, nowMs }: { tenant: string; nowMs: number },
): Promise<Found> {
  // An avatar without tags knows no documents.
  if (q === undefined || knowledgeTags.length === 0) return { passages: [], indexVersion: null, mode: null };
  const place = deploymentId === null ? {} : { deploymentId };
  const meaning = { nowMs, patienceMs: searchPatienceMs };
  const tags = { tag: [...knowledgeTags], tagMode: 'any' as const };
  const result = await searchVersion(
    store,
    tenant,
    { ...place, nowMs },
    meaning,
    async (manifest, index, meanings) => {
      const filter = filterOf(tags, manifest, searchFieldsOf(project));
      const semantic = await semanticOf(meanings, q);
      const query = { q, filter, limit: maxPassages };
      const hits = await findPieces(store, manifest, index, query, semantic, 0);
      return hits && { hits, mode: semantic ? ('hybrid' as const) : ('lexical' as const) };
    },
  );
  if (result.error === 'not_indexed') return { passages: [], indexVersion: null, mode: null };
  // An answer without the knowledge of its deployment would be worse than none.
  if (result.error) throw new ApiError(result.error, result.message);
  const { hits, mode } = result.found;
  return { passages: passagesOf(hits).passages, indexVersion: result.indexVersion, mode };
}

/** @returns what the reply shows of its material */
export const usedOf = (
  { passages, leftOut, model, avatarVersion, indexVersion, mode }: Material,
  cited: ReadonlySet<number>,
) => ({
  passages: passages.map(({ number, pieceId, documentId, title, page, score }) => ({
    number,
    pieceId,
    documentId,
    title,
    page,
    score,
    cited: cited.has(number),
  })),
  leftOutMessages: leftOut.messages,
  model: model.id,
  avatarVersion,
  indexVersion,
  mode,
});
