/** The pieces of text of a page, as places on the lines of their reading direction. */

import { median } from './median.ts';

export type Run = {
  text: string;
  /** Where the run begins and ends along its line. */
  start: number;
  end: number;
  /** Where its line is: a larger number is further down, or for vertical lines further to the left. */
  line: number;
  /** The height of its letters. */
  size: number;
  /** White space is before it. */
  isSpaced?: boolean;
  isRightToLeft?: boolean;
  /** The value of a field of a form, or a mark of a box, which belongs to the text beside it. */
  field?: 'value' | 'mark';
};

/** A piece of text, as the library returns it. */
export type Item = {
  str: string;
  dir: string;
  transform: readonly number[];
  width: number;
  height: number;
  isVertical: boolean;
};

/** The runs of one reading direction in the order in which the page has them, and how places of the page become places on lines. */
export type Frame = { runs: Run[]; place: Placing };

type Placing = (x: number, y: number) => { along: number; line: number };

/** Directions that differ less are one: the lines of a scan are not exactly level. */
const degreesOfGroup = 10;

/** @returns a frame for each reading direction, that with most text first */
export function framesOf(items: readonly Item[]): Frame[] {
  const groups = new Map<number, { item: Item; angle: number }[]>();
  let isSpaced = false;
  const spaced = new Set<Item>();
  for (const item of items) {
    if (item.str.trim() === '') {
      isSpaced ||= item.str !== '';
      continue;
    }
    if (isSpaced || /^\s/.test(item.str)) spaced.add(item);
    isSpaced = /\s$/.test(item.str);
    const angle = angleOf(item);
    const key = Math.round(angle / degreesOfGroup) % (360 / degreesOfGroup);
    const group = groups.get(key);
    if (group) group.push({ item, angle });
    else groups.set(key, [{ item, angle }]);
  }
  const sorted = [...groups.values()].sort((a, b) => lengthOf(b) - lengthOf(a));
  return sorted.map((group) => {
    const place = placing(middleAngle(group.map(({ angle }) => angle)));
    return { place, runs: group.map(({ item }) => runOf(item, place, spaced.has(item))) };
  });
}

/** The frame of a page without text. */
export const uprightFrame = (rotation: number): Frame => ({ runs: [], place: placing(rotation) });

const lengthOf = (group: readonly { item: Item }[]): number =>
  group.reduce((sum, { item }) => sum + item.str.length, 0);

/** @returns the angle in which the text is read, from 0 to 360 degrees */
function angleOf({ transform, isVertical }: Item): number {
  const [a = 0, b = 0, c = 0, d = 0] = transform;
  const radians = isVertical ? Math.atan2(-d, -c) : Math.atan2(b, a);
  return ((radians * 180) / Math.PI + 360) % 360;
}

/** A group around 0 has angles close to 360. */
function middleAngle(angles: readonly number[]): number {
  const first = angles[0] ?? 0;
  return first + median(angles.map((angle) => ((angle - first + 540) % 360) - 180));
}

function placing(degrees: number): Placing {
  const radians = (degrees * Math.PI) / 180;
  const [x, y] = [Math.cos(radians), Math.sin(radians)];
  return (left, up) => ({ along: x * left + y * up, line: y * left - x * up });
}

function runOf(item: Item, place: Placing, isSpaced: boolean): Run {
  const { transform, isVertical, width, height, dir } = item;
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = transform;
  const { along, line } = place(e, f);
  const size = (isVertical ? Math.hypot(a, b) : height || Math.hypot(c, d)) || 1;
  const text = item.str.trim();
  const end = along + (isVertical ? height : width);
  return { text, start: along, end, line, size, isSpaced, isRightToLeft: dir === 'rtl' };
}
