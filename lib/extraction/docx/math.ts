/** Equations (OMML, ECMA-376 part 1, 22.1) as text in one line: `a/b`, `x^2`, `√(x)`. */

import { type AttributeReader, isOn } from './xml.ts';

/** A part of an equation: the element, the texts of its children with their names, and its properties. */
type Part = { name: string; children: { name: string; text: string }[]; properties: Map<string, string> };

export type Equation = {
  open(name: string, attribute: AttributeReader): void;
  text(text: string): void;
  /** @returns the text of the equation when its outermost element ends */
  close(name: string): string | undefined;
};

/** Elements with the properties of the element that contains them. */
const isProperties = (name: string) => name.endsWith('Pr');

/** @returns a builder, whose first element is the equation */
export function equation(): Equation {
  const parts: Part[] = [];
  let arrays = 0;
  return {
    open(name, attribute) {
      if (name === 'm:eqArr') arrays += 1;
      const owner = parts.findLast((part) => !isProperties(part.name));
      const parent = parts.at(-1);
      if (parent && isProperties(parent.name)) {
        const value = attribute('m:val');
        if (!name.endsWith('Hide') || isOn(value)) owner?.properties.set(name, value ?? '');
      }
      parts.push({ name, children: [], properties: new Map() });
    },
    text(text) {
      // In equations below each other, `&` shows which characters are aligned.
      const shown = arrays > 0 ? text.replaceAll('&', '') : text;
      parts.at(-1)?.children.push({ name: 'text', text: shown });
    },
    close(name) {
      if (name === 'm:eqArr') arrays -= 1;
      const part = parts.pop();
      const text = part && !isProperties(name) ? write(part) : '';
      const parent = parts.at(-1);
      if (!parent) return text;
      parent.children.push({ name, text });
      return undefined;
    },
  };
}

function write({ name, children, properties }: Part): string {
  const all = (wanted: string): string[] =>
    children.filter((child) => child.name === wanted).map(({ text }) => text);
  const first = (wanted: string): string => all(wanted)[0] ?? '';
  const property = (wanted: string, missing: string): string => properties.get(wanted) ?? missing;
  const script = (sign: string, wanted: string): string =>
    first(wanted) === '' || properties.has(`${wanted}Hide`) ? '' : `${sign}${group(first(wanted))}`;
  const base = first('m:e');
  const scripts = script('_', 'm:sub') + script('^', 'm:sup');
  switch (name) {
    case 'm:f': {
      const line = property('m:type', 'bar') === 'noBar' ? '¦' : '/';
      return `${group(first('m:num'))}${line}${group(first('m:den'))}`;
    }
    case 'm:sSup':
    case 'm:sSub':
    case 'm:sSubSup':
      return group(base) + scripts;
    case 'm:sPre':
      return scripts + group(base);
    case 'm:rad':
      return `${properties.has('m:degHide') ? '' : raised(first('m:deg'))}√(${base})`;
    case 'm:nary':
      return `${property('m:chr', '∫')}${scripts} ${base}`;
    case 'm:d':
      return `${property('m:begChr', '(')}${all('m:e').join(property('m:sepChr', '|'))}${property('m:endChr', ')')}`;
    case 'm:m':
      return all('m:mr').join('; ');
    case 'm:mr':
      return all('m:e').join(', ');
    case 'm:eqArr':
      return all('m:e').join('; ');
    case 'm:func':
      return `${first('m:fName')} ${base}`;
    case 'm:limLow':
      return `${base}_${group(first('m:lim'))}`;
    case 'm:limUpp':
      return `${base}^${group(first('m:lim'))}`;
    case 'm:acc':
      return group(base) + property('m:chr', '\u0302');
    case 'm:bar':
      return group(base) + (property('m:pos', 'bot') === 'top' ? '\u0305' : '\u0332');
    case 'm:oMathPara':
      return all('m:oMath').join('; ');
    default:
      return concatenated(children);
  }
}

/** Joins the texts, which may be long, without copying them. A letter behind `x^2` is no part of the exponent. */
function concatenated(children: Part['children']): string {
  let result = '';
  let before = 'text';
  for (const { name, text } of children) {
    const needsSpace = /^m:(?:f|s\w+|rad|lim\w+)$/.test(before) && /^[\p{L}\p{N}]/u.test(text);
    result += needsSpace ? ` ${text}` : text;
    before = name;
  }
  return result;
}

const longestSingle = 32;
/** @returns the text, in brackets if it is more than one number, name or pair of brackets */
function group(text: string): string {
  const isSingle =
    text.length <= longestSingle &&
    /^(?:[\p{L}\p{M}\p{N}.,∞′°]*|.|\([^()]*\)|[-−+]?\d+(?:[.,]\d+)?)$/u.test(text.trim());
  return isSingle ? text.trim() : `(${text})`;
}

const raisedCharacters: Readonly<Record<string, string>> = {
  2: '²',
  3: '³',
  4: '⁴',
  5: '⁵',
  n: 'ⁿ',
};
const raised = (degree: string): string =>
  degree === '' || degree === '2' ? '' : (raisedCharacters[degree] ?? `[${degree}]`);
