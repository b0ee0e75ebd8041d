/** Converts an export with a map: from its bytes to files that the API imports, and to the scores of the conversations. */

import { join } from 'node:path';
import type { Session } from '../session.ts';
import { Avatars } from './avatars.ts';
import type { Conversation, Converted, MapOptions } from './convert/converted.ts';
import { LineFile } from './line-file.ts';
import { type MapLimits, MapThread, mapLimits, type TextRecord } from './map-thread.ts';
import { openExport } from './open-export.ts';
import { type Part, PartFiles } from './part-files.ts';
import { recordsOf } from './records.ts';
import { ScoreValues } from './score-options.ts';
import type { ConversationScores } from './send-scores.ts';

/** A record, or a result of it, that does not fit. */
export type Misfit = { line: number; message: string };

/** How many of them are shown. All are counted. */
const maxMisfits = 5;

export type ConvertedExport = {
  records: number;
  conversations: number;
  /** Records that the map has left out. */
  skipped: number;
  /** The number of results that do not fit, and the first of them. */
  misfits: number;
  firstMisfits: Misfit[];
  shortened: Record<string, number>;
  /** The first conversation, as it is sent. */
  first: { conversation: object; scores: object } | undefined;
  /** The values by the name of the score, also without values. */
  scores: Record<string, ScoreValues>;
  /** The number of conversations with scores. */
  scored: number;
  parts: readonly Part[];
};

export type ConvertOptions = MapOptions & {
  /** The avatar of all conversations. */
  avatar: string | undefined;
  /** Where the converted files are written; undefined to write none. */
  folder: string | undefined;
  onRead: (bytes: number) => void;
  limits?: MapLimits;
};

export const scoresFile = (folder: string): string => join(folder, 'scores.jsonl');

/** @param source the name of a file, or `-` for standard input */
export async function convertExport(
  session: Session,
  source: string,
  options: ConvertOptions,
): Promise<ConvertedExport> {
  const { signal } = session;
  const { avatar, folder, onRead, limits = mapLimits, ...mapOptions } = options;
  const avatars = new Avatars(session);
  const result: ConvertedExport = {
    records: 0,
    conversations: 0,
    skipped: 0,
    misfits: 0,
    firstMisfits: [],
    shortened: {},
    first: undefined,
    scores: Object.fromEntries(Object.keys(options.scores).map((name) => [name, new ScoreValues()])),
    scored: 0,
    parts: [],
  };
  const misfit = (line: number, message: string) => {
    result.misfits += 1;
    if (result.firstMisfits.length < maxMisfits) result.firstMisfits.push({ line, message });
  };
  const files = folder === undefined ? undefined : new PartFiles(folder);
  const scoresOut =
    folder === undefined ? undefined : new LineFile(scoresFile(folder), { compressed: false });

  const keep = async (line: number, conversation: Conversation, scores: Converted['scores']) => {
    const { text, externalId } = conversation;
    if (Object.keys(scores).length > 0 && externalId === null)
      return misfit(line, 'externalId: is required with --score.');
    const name = avatar ?? conversation.avatar ?? '';
    const avatarId = await avatars.idOf(name);
    if (avatarId === undefined)
      return misfit(
        line,
        `avatarId: there is no avatar with the id, the external id or the name ${JSON.stringify(name)}.`,
      );
    result.conversations += 1;
    const json = `{"avatarId":${JSON.stringify(avatarId)},${text.slice(1)}`;
    result.first ??= { conversation: JSON.parse(json), scores };
    await files?.add(json, line);
    for (const [score, value] of Object.entries(scores)) result.scores[score]?.add(value);
    if (externalId === null || Object.keys(scores).length === 0) return;
    result.scored += 1;
    const entry: ConversationScores = { externalId, scores };
    await scoresOut?.add(JSON.stringify(entry));
  };

  const thread = new MapThread(mapOptions, limits, signal);
  try {
    await thread.start();
    const input = await openExport(session, source, onRead);
    for await (const batch of batchesOf(recordsOf(input), limits, (line, problem) => {
      result.records += 1;
      misfit(line, problem);
    })) {
      signal.throwIfAborted();
      const converted = await thread.convert(batch);
      for (const [index, { conversations, problems, scores, shortened }] of converted.entries()) {
        const line = batch[index]?.line ?? 0;
        result.records += 1;
        if (conversations.length + problems.length === 0) result.skipped += 1;
        for (const problem of problems) misfit(line, problem);
        for (const [field, count] of Object.entries(shortened))
          result.shortened[field] = (result.shortened[field] ?? 0) + count;
        for (const conversation of conversations) await keep(line, conversation, scores);
      }
    }
    await files?.end();
    await scoresOut?.end();
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    await thread.stop();
  }
  return { ...result, parts: files?.parts ?? [] };
}

/** A batch at first has one record, so that a map that never ends is found at once. */
async function* batchesOf(
  records: ReturnType<typeof recordsOf>,
  { batchBytes, batchRecords }: MapLimits,
  onProblem: (line: number, problem: string) => void,
): AsyncGenerator<TextRecord[]> {
  let batch: TextRecord[] = [];
  let bytes = 0;
  let most = 1;
  for await (const record of records) {
    if ('problem' in record) {
      onProblem(record.line, record.problem);
      continue;
    }
    if (batch.length > 0 && bytes + record.text.length > batchBytes) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(record);
    bytes += record.text.length;
    if (batch.length < most) continue;
    yield batch;
    [batch, bytes] = [[], 0];
    most = Math.min(batchRecords, most * 2);
  }
  if (batch.length > 0) yield batch;
}
