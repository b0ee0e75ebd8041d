/** Characters of the fonts of symbols, whose codes mean pictures. Word writes them as U+F000 to U+F0FF. */

/** The font Symbol from 0x20 and from 0xA0 (Adobe's encoding). */
const symbolFont = new Map([
  ...coded(
    0x20,
    ' !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼',
  ),
  ...coded(0xa0, '€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪'),
  ...coded(0xf1, '〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭'),
]);

/** The usual characters: marks, arrows, boxes, circled numbers. */
const wingdings = new Map([
  ...coded(0x20, ' '),
  ...coded(0x22, '✂'),
  ...coded(0x28, '☎✆✉'),
  ...coded(0x36, '⌛⌨'),
  ...coded(0x41, '✌👌👍👎☜☞☝☟'),
  ...coded(0x4a, '☺😐☹'),
  ...coded(0x6c, '●❍■□'),
  ...coded(0x71, '❑❒⬧⧫◆❖⬥☒'),
  ...coded(0x80, '⓪①②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿'),
  ...coded(0x9e, '·•▪○'),
  ...coded(0xa7, '▪☐'),
  ...coded(0xab, '★'),
  ...coded(0xd8, '➢'),
  ...coded(0xdf, '←→↑↓↖↗↙↘'),
  ...coded(0xe8, '➔'),
  ...coded(0xef, '⇦⇨⇧⇩⇔'),
  ...coded(0xfb, '✗✓☒☑'),
]);
const wingdings2 = new Map([...coded(0x4f, '✗✓☒☑☒'), ...coded(0x95, '·•●⬤'), ...coded(0xa2, '■☐')]);
const webdings = new Map([
  ...coded(0x61, '✓'),
  ...coded(0x63, '☐'),
  ...coded(0x67, '■'),
  ...coded(0x72, '✗'),
]);

const fonts = new Map([
  ['symbol', symbolFont],
  ['wingdings', wingdings],
  ['wingdings 2', wingdings2],
  ['webdings', webdings],
]);

function coded(first: number, characters: string): [number, string][] {
  return [...characters].map((character, index) => [first + index, character]);
}

/** Stands for a picture of a font for which these tables have no character. */
export const unknownSymbol = '\ufffd';

/** @returns the character of a code that may be one of a font of symbols */
export function symbolOf(code: number, font: string): string {
  const isSymbol = code >= 0xf000 && code <= 0xf0ff;
  const characters = fonts.get(font.toLowerCase());
  if (isSymbol || characters) return characters?.get(code & 0xff) ?? unknownSymbol;
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : unknownSymbol;
}

/** @returns text in which the codes of a font of symbols are characters. Other fonts may have signs of their own */
export const withSymbols = (text: string, font: string): string =>
  fonts.has(font.toLowerCase())
    ? text.replace(/[\uf000-\uf0ff]/g, (character) => symbolOf(character.charCodeAt(0), font))
    : text;

/** These bullets have a meaning. Others are only shapes. */
const telling = new Set('✗✓☒☑☐★→➔☎✉');

/** @returns the bullet as a reader understands it */
export function bulletOf(text: string, font: string): string {
  const shown = withSymbols(text.trim(), font);
  return telling.has(shown) || /^[-–—*]$/.test(shown) ? shown : '•';
}
