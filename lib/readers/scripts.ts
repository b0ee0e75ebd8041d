/** Raised and lowered text: `10⁶` is not 106, and a price with the mark of a note is no other price. */

export type Script = 'raised' | 'lowered';

const plain = '0123456789+-−=()';
const characters: Readonly<Record<Script, string>> = {
  raised: '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾',
  lowered: '₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎',
};
const isNumber = /^[0-9+\-−=()\s]*$/;

/** @returns numbers in the characters that Unicode has for them, and other texts (`1st`) as they are */
export function scripted(text: string, script: Script | undefined): string {
  if (script === undefined || !isNumber.test(text)) return text;
  return text.replace(/\S/g, (character) => characters[script][plain.indexOf(character)] ?? character);
}

/** Letters of a line, from its first to its last one. A larger `line` is further down. */
type Level = { line: number; size: number };

/** In heights of the letters beside it. */
const largest = 0.8;
const leastRaised = 0.2;
const leastLowered = 0.08;

/** @returns whether smaller letters stand higher or lower than those of their line */
export function scriptBeside(base: Level, { line, size }: Level): Script | undefined {
  if (size > largest * base.size) return undefined;
  const below = (line - base.line) / base.size;
  if (below <= -leastRaised) return 'raised';
  return below >= leastLowered ? 'lowered' : undefined;
}
