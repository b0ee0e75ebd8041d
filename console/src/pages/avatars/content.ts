/**
 * The content of an avatar, in the form and in the JSON beside it, and how two changes of it become one. The API checks the content,
 * so it may have any shape here.
 */

import type { Avatar, AvatarVersion } from '../../../../clients/typescript/src/index.ts';
import { readJson } from '../../../../lib/base/json-syntax.ts';
import { type Change, changesBetween, isEqual, isObject } from '../../shared/difference.ts';

export type Draft = Readonly<Record<string, unknown>>;
export type Path = readonly string[];

export const emptyDraft: Draft = {
  name: '',
  externalId: null,
  persona: { prompt: '', greeting: null, language: 'en' },
  voice: null,
  imageUrl: null,
  knowledgeTags: [],
  model: null,
  runtime: null,
  metadata: {},
};

type Content = Pick<
  Avatar,
  'name' | 'persona' | 'voice' | 'imageUrl' | 'knowledgeTags' | 'model' | 'runtime' | 'metadata'
>;

/** @returns the content in the order of the form */
export const contentOf = (avatar: Content & { externalId?: string | null }): Draft => ({
  name: avatar.name,
  ...('externalId' in avatar && { externalId: avatar.externalId }),
  persona: {
    prompt: avatar.persona.prompt,
    greeting: avatar.persona.greeting,
    language: avatar.persona.language,
  },
  voice: avatar.voice,
  imageUrl: avatar.imageUrl,
  knowledgeTags: avatar.knowledgeTags,
  model: avatar.model,
  runtime: avatar.runtime,
  metadata: avatar.metadata,
});

/** @returns what the later version changed, with the status */
export const versionChanges = (before: AvatarVersion, after: AvatarVersion): Change[] =>
  changesBetween(
    { ...contentOf(before), status: before.status },
    { ...contentOf(after), status: after.status },
  );

/** @returns the version, for `If-Match` */
export const etagOf = ({ version }: Avatar): string => `"${version}"`;

export function valueAt(draft: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, name) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined),
    draft,
  );
}

/** @param value the new value; undefined removes the field */
export function withValue(draft: Draft, [name = '', ...rest]: Path, value: unknown): Draft {
  const inner = valueAt(draft, [name]);
  const next = rest.length === 0 ? value : withValue(isObject(inner) ? inner : {}, rest, value);
  if (next !== undefined) return fromEntries([...Object.entries(draft), [name, next]]);
  return fromEntries(Object.entries(draft).filter(([other]) => other !== name));
}

/** A field may be called `__proto__`: an assignment would lose it. */
const fromEntries = (entries: readonly (readonly [string, unknown])[]): Draft => Object.fromEntries(entries);

/**
 * @returns the body that turns `base` into `draft`. In `persona`, only the changed fields are sent. A field that is missing is
 *   sent as null, so that the API says whether that is possible
 */
export function updateBody(base: Draft, draft: Draft): Draft {
  let body: Draft = {};
  for (const { path } of changesBetween(base, draft)) {
    const isPersona = path[0] === 'persona' && path.length > 1;
    const field = isPersona ? path.slice(0, 2) : path.slice(0, 1);
    body = withValue(body, field, valueAt(draft, field) ?? null);
  }
  return body;
}

/** @throws Error with a message for the user */
export function parseDraft(text: string): Draft {
  const value = readJson(text);
  if (!isObject(value)) throw new Error('The JSON must be an object: { … }');
  return value;
}

export const draftText = (draft: Draft): string => JSON.stringify(draft, null, 2);

const labels: Readonly<Record<string, string>> = {
  name: 'Name',
  externalId: 'External id',
  status: 'Status',
  persona: 'Persona',
  'persona.prompt': 'Prompt',
  'persona.greeting': 'Greeting',
  'persona.language': 'Language',
  voice: 'Voice',
  'voice.provider': 'Voice: provider',
  'voice.voiceId': 'Voice: id',
  imageUrl: 'Image',
  knowledgeTags: 'Knowledge tags',
  model: 'Model',
  'model.modelId': 'Model: id',
  'model.temperature': 'Model: temperature',
  'model.maxTokens': 'Model: tokens of an answer',
  runtime: 'Runtime',
  metadata: 'Metadata',
};

/** @returns the name of a field for readers; the path itself for a field that no avatar has */
export function labelOf(path: Path): string {
  const [first, ...rest] = path;
  if (first === 'metadata' && rest.length > 0) return `Metadata: ${rest.join('.')}`;
  if (first === 'runtime' && rest.length > 0) return `Runtime: ${rest.join('.')}`;
  const name = path.join('.');
  return Object.hasOwn(labels, name) ? (labels[name] ?? name) : name;
}

export type Choice = 'mine' | 'theirs';

/** A field in which two changes of one avatar differ: the change of the user (`mine`), and that of somebody else (`theirs`). */
export type Row = {
  path: Path;
  base: unknown;
  mine: unknown;
  theirs: unknown;
  /** The person who changed the field. A field that both changed in the same way needs no choice. */
  by: 'me' | 'them' | 'both';
};

/** @returns the fields that are chosen as a whole: the id of a voice is valid only with its provider */
function pathsOf(draft: Draft): Path[] {
  return Object.entries(draft).flatMap(([name, value]): Path[] => {
    const isSplit = (name === 'persona' || name === 'metadata') && isObject(value);
    return isSplit ? Object.keys(value).map((inner) => [name, inner]) : [[name]];
  });
}

/** @returns the fields that differ; the fields that both changed are first */
export function rowsOf(base: Draft, mine: Draft, theirs: Draft): Row[] {
  const paths = new Map([base, mine, theirs].flatMap(pathsOf).map((path) => [JSON.stringify(path), path]));
  const rows = [...paths.values()].flatMap((path): Row[] => {
    const values = { base: valueAt(base, path), mine: valueAt(mine, path), theirs: valueAt(theirs, path) };
    if (isEqual(values.mine, values.theirs)) return [];
    const isMine = !isEqual(values.base, values.mine);
    const isTheirs = !isEqual(values.base, values.theirs);
    return [{ path, ...values, by: isMine && isTheirs ? 'both' : isMine ? 'me' : 'them' }];
  });
  return rows.toSorted((a, b) => Number(b.by === 'both') - Number(a.by === 'both'));
}

/** @returns the choice that loses nothing; undefined if both changed the field */
export const defaultChoice = ({ by }: Row): Choice | undefined =>
  by === 'both' ? undefined : by === 'me' ? 'mine' : 'theirs';

/** @returns the content of somebody else, with the value of the user in each field in which the user keeps it */
export const mergedOf = (
  theirs: Draft,
  rows: readonly Row[],
  choiceOf: (row: Row) => Choice | undefined,
): Draft =>
  rows
    .filter((row) => choiceOf(row) === 'mine')
    .reduce((merged, { path, mine }) => withValue(merged, path, mine), theirs);
