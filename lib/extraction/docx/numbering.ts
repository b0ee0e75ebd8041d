/** The markers of list items and numbered headings, as Word shows them (ECMA-376 part 1, 17.9). */

import { formatNumber } from '../../readers/number-formats.ts';
import { bulletOf } from './symbols.ts';
import { type AttributeReader, isOn, readXml, wholeNumber } from './xml.ts';

type Level = {
  start: number;
  format: string;
  text: string;
  isPicture: boolean;
  /** All numbers of the marker are digits. */
  isLegal: boolean;
  /** A use of this level or of one above starts the numbers again: levels count from 1, and 0 is none. */
  restartAfter?: number | undefined;
  font: string;
  style?: string | undefined;
};
type Levels = Map<number, Level>;
type Override = { start?: number | undefined; level?: Level };

/** Lists of the same abstract definition count on. An instance may start again, or have levels of its own. */
type Instance = { abstractId: string; overrides: Map<number, Override> };
type Abstract = { levels: Levels; linkedStyle?: string | undefined };
type Definitions = { abstracts: Map<string, Abstract>; instances: Map<string, Instance> };

/** Where a paragraph stands in the lists: the instance, and the level from 0. */
export type ListPlace = { numId: string; level: number | undefined; styleId: string };
export type Marker = { text: string; level: number; isBullet: boolean };

export type Numbering = { next(place: ListPlace): Marker | undefined };

const maxLevel = 8;
/** Word shows at most so many characters. */
const maxMarkerLength = 100;

/**
 * @param numIdOfStyle the instance that a style of lists has
 * @returns a function that makes the counters of a text: the body has others than a header
 */
export function readNumbering(
  xml: Uint8Array | undefined,
  numIdOfStyle: (styleId: string) => string | undefined,
): () => Numbering {
  const definitions = definitionsIn(xml);
  return () => countersOf(definitions, numIdOfStyle);
}

function countersOf(
  { abstracts, instances }: Definitions,
  numIdOfStyle: (styleId: string) => string | undefined,
): Numbering {
  const counters = new Map<string, (number | undefined)[]>();
  const usedOverrides = new Set<string>();
  const resolve = (numId: string) => {
    const instance = instances.get(numId);
    const abstract = instance && abstracts.get(instance.abstractId);
    if (!instance || !abstract?.linkedStyle) return { instance, abstract, id: instance?.abstractId ?? '' };
    const linked = instances.get(numIdOfStyle(abstract.linkedStyle) ?? '');
    const id = linked?.abstractId ?? '';
    return { instance, abstract: abstracts.get(id), id };
  };

  return {
    next({ numId, level: statedLevel, styleId }) {
      const { instance, abstract, id } = resolve(numId);
      if (!instance || !abstract) return undefined;
      const index = Math.min(statedLevel ?? levelOfStyle(abstract.levels, styleId) ?? 0, maxLevel);
      const levelAt = (at: number) => instance.overrides.get(at)?.level ?? abstract.levels.get(at);
      const level = levelAt(index);
      if (!level) return undefined;

      const counts = counters.get(id) ?? [];
      counters.set(id, counts);
      const override = instance.overrides.get(index)?.start;
      const use = `${numId} ${index}`;
      if (override !== undefined && !usedOverrides.has(use)) counts[index] = undefined;
      usedOverrides.add(use);
      counts[index] = (counts[index] ?? (override ?? level.start) - 1) + 1;
      for (let above = 0; above < index; above += 1) counts[above] ??= levelAt(above)?.start ?? 1;
      for (let below = index + 1; below <= maxLevel; below += 1) {
        const restartAfter = levelAt(below)?.restartAfter ?? below;
        if (index < restartAfter) counts[below] = undefined;
      }

      if (level.format === 'bullet' || level.isPicture) {
        return {
          text: bulletOf(level.isPicture ? '' : level.text, level.font),
          level: index,
          isBullet: true,
        };
      }
      const text = level.text.replace(/%([1-9])/g, (_, digit: string) => {
        const at = Number(digit) - 1;
        const format = levelAt(at)?.format ?? 'decimal';
        return formatNumber(counts[at] ?? 1, level.isLegal && format !== 'none' ? 'decimal' : format);
      });
      return { text: text.trim().slice(0, maxMarkerLength), level: index, isBullet: false };
    },
  };
}

function levelOfStyle(levels: Levels, styleId: string): number | undefined {
  for (const [index, { style }] of levels) if (style === styleId) return index;
  return undefined;
}

function definitionsIn(xml: Uint8Array | undefined): Definitions {
  const definitions: Definitions = { abstracts: new Map(), instances: new Map() };
  let abstract: Abstract | undefined;
  let instance: Instance | undefined;
  let override: Override | undefined;
  let level: Level | undefined;
  readXml(xml, {
    open(name, attribute) {
      const value = attribute('w:val');
      if (name === 'w:abstractNum') {
        abstract = { levels: new Map() };
        definitions.abstracts.set(attribute('w:abstractNumId') ?? '', abstract);
      } else if (name === 'w:num') {
        instance = { abstractId: '', overrides: new Map() };
        definitions.instances.set(attribute('w:numId') ?? '', instance);
      } else if (name === 'w:numStyleLink' && abstract) abstract.linkedStyle = value;
      else if (name === 'w:abstractNumId' && instance) instance.abstractId = value ?? '';
      else if (name === 'w:lvlOverride' && instance) {
        override = {};
        instance.overrides.set(wholeNumber(attribute('w:ilvl')) ?? 0, override);
      } else if (name === 'w:startOverride' && override) override.start = wholeNumber(value);
      else if (name === 'w:lvl') {
        level = { start: 0, format: 'decimal', text: '', isPicture: false, isLegal: false, font: '' };
        if (override) override.level = level;
        else abstract?.levels.set(wholeNumber(attribute('w:ilvl')) ?? 0, level);
      } else if (level) readLevel(level, name, attribute);
    },
    close(name) {
      if (name === 'w:abstractNum') abstract = undefined;
      if (name === 'w:num') instance = undefined;
      if (name === 'w:lvlOverride') override = undefined;
      if (name === 'w:lvl') level = undefined;
    },
  });
  return definitions;
}

function readLevel(level: Level, name: string, attribute: AttributeReader): void {
  const value = attribute('w:val');
  if (name === 'w:start') level.start = wholeNumber(value) ?? 0;
  if (name === 'w:numFmt') level.format = value ?? 'decimal';
  if (name === 'w:lvlText') level.text = (value ?? '').slice(0, maxMarkerLength);
  if (name === 'w:lvlPicBulletId') level.isPicture = true;
  if (name === 'w:isLgl') level.isLegal = isOn(value);
  if (name === 'w:lvlRestart') level.restartAfter = wholeNumber(value);
  if (name === 'w:pStyle') level.style = value;
  if (name === 'w:rFonts') level.font = attribute('w:ascii') ?? attribute('w:hAnsi') ?? '';
}
