/** The styles of a document: which styles make headings, lists, captions or code, and which styles hide text. */

import { type AttributeReader, isOn, readXml, wholeNumber } from './xml.ts';

/** The properties that a style states. It inherits all others from the style on which it is based. */
type Stated = { outlineLevel?: number; numId?: string; listLevel?: number; isHidden?: boolean };
type Definition = Stated & { name: string; basedOn?: string };

export type Style = Stated & { id: string; kind: 'caption' | 'code' | 'text' };

export type Styles = {
  /** @param id of a paragraph's style; by default, that of a paragraph without one */
  paragraph(id?: string): Style;
  /** Whether a style of characters hides them. */
  hides(id: string): boolean;
};

/** Word writes the English names of its styles. Other programs write them in the language of their user. */
const headingName =
  /^(?:heading|überschrift|titre|título|titolo|kop|rubrik|overskrift|otsikko|заголовок|nagłówek|nadpis|címsor|başlık|标题|標題|見出し|제목) ?([1-9])$/;
const titleNames = new Set(['title', 'titel', 'titre du document']);
const captionNames = new Set(['caption', 'beschriftung', 'légende', 'leyenda', 'didascalia']);
const codeNames = new Set(['code', 'html preformatted', 'preformatted text', 'source code']);
/** A paragraph of this level is no heading. */
export const bodyLevel = 9;

/** @param xml of the part with the styles, if there is one */
export function readStyles(xml: Uint8Array | undefined): Styles {
  const { definitions, defaultId } = definitionsIn(xml);
  const resolved = new Map<string, Style>();
  const styleOf = (id: string): Style => {
    const style = resolved.get(id) ?? resolve(id, definitions);
    resolved.set(id, style);
    return style;
  };
  return {
    paragraph: (id = defaultId) => styleOf(id),
    hides: (id) => styleOf(id).isHidden ?? false,
  };
}

/** A style is based on at most ten others in Word. */
const maxBases = 50;

function resolve(id: string, definitions: ReadonlyMap<string, Definition>): Style {
  let definition = definitions.get(id);
  // Some programs use the styles of Word without defining them.
  if (!definition) return { id, ...statedByName(id.replace(/^Heading(?=[1-9]$)/, 'Heading ')) };
  let style: Style = { id, kind: 'text' };
  for (let bases = 0; definition && bases < maxBases; bases += 1) {
    const { name, basedOn, ...stated }: Definition = definition;
    const { kind, ...byName } = statedByName(name);
    style = { ...byName, ...stated, ...style, kind: style.kind === 'text' ? kind : style.kind };
    definition = basedOn === undefined ? undefined : definitions.get(basedOn);
  }
  return style;
}

function statedByName(name: string): Pick<Style, 'kind' | 'outlineLevel'> {
  const lower = name.toLowerCase();
  const level = headingName.exec(lower)?.[1];
  if (level !== undefined) return { kind: 'text', outlineLevel: Number(level) - 1 };
  if (titleNames.has(lower)) return { kind: 'text', outlineLevel: 0 };
  return { kind: captionNames.has(lower) ? 'caption' : codeNames.has(lower) ? 'code' : 'text' };
}

function definitionsIn(xml: Uint8Array | undefined) {
  const definitions = new Map<string, Definition>();
  let defaultId = 'Normal';
  let current: Definition | undefined;
  const path: string[] = [];
  readXml(xml, {
    open(name, attribute) {
      const parent = path.at(-1) ?? '';
      path.push(name);
      if (name === 'w:style') {
        const id = attribute('w:styleId') ?? '';
        current = { name: id };
        definitions.set(id, current);
        if (attribute('w:type') === 'paragraph' && attribute('w:default') !== undefined) defaultId = id;
      } else if (current) state(current, name, parent, attribute);
    },
    close(name) {
      path.pop();
      if (name === 'w:style') current = undefined;
    },
  });
  return { definitions, defaultId };
}

function state(style: Definition, name: string, parent: string, attribute: AttributeReader): void {
  const value = attribute('w:val');
  if (parent === 'w:rPr' && name === 'w:vanish') style.isHidden = isOn(value);
  if (value === undefined) return;
  if (parent === 'w:style' && name === 'w:name') style.name = value;
  if (parent === 'w:style' && name === 'w:basedOn') style.basedOn = value;
  if (name === 'w:outlineLvl') style.outlineLevel = wholeNumber(value) ?? bodyLevel;
  if (name === 'w:numId') style.numId = value;
  if (name === 'w:ilvl') style.listLevel = wholeNumber(value) ?? 0;
}
