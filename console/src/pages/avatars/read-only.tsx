/** The content of an avatar as text, for somebody who may not change it. */

import type { Avatar } from '../../../../clients/typescript/src/index.ts';
import { isObject } from '../../shared/difference.ts';
import { Values } from '../../shared/values.tsx';
import { contentOf, labelOf, type Path } from './content.ts';

/** @returns the fields that have a value and no fields below them */
const leavesOf = (value: unknown, path: Path = []): (readonly [Path, unknown])[] =>
  isObject(value)
    ? Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, [...path, name]))
    : [[path, value]];

const textOf = (value: unknown): string =>
  Array.isArray(value) ? value.join(', ') : value === null ? '' : String(value);

export const ReadOnlyAvatar = ({ avatar }: { avatar: Avatar }) => (
  <Values values={leavesOf(contentOf(avatar)).map(([path, value]) => [labelOf(path), textOf(value)])} />
);
