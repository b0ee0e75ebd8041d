/** How large a regular expression (RE2) becomes, before it is compiled: `(a{9}){9}` has 81 steps. */

const repetitionPattern = /\{(\d+)(?:,(\d*))?\}/y;

/** @returns about its number of characters and classes, with each repetition written out; any number if it is not valid */
export function estimateSteps(pattern: string): number {
  /** The sizes before each open group, outermost first. */
  const outerSizes: number[] = [];
  let size = 0;
  let lastSize = 0;
  for (let at = 0; at < pattern.length; ) {
    repetitionPattern.lastIndex = at;
    const [repetition, least, most] = repetitionPattern.exec(pattern) ?? [];
    if (repetition !== undefined) {
      const times = Math.max(1, Number(least), Number(most ?? 0));
      size += lastSize * (times - 1);
      lastSize *= times;
      at += repetition.length;
      continue;
    }
    const end = endOfAtom(pattern, at);
    if (pattern[at] === '(') {
      outerSizes.push(size);
      size = 0;
    } else if (pattern[at] === ')') {
      lastSize = size + 1;
      size = (outerSizes.pop() ?? 0) + lastSize;
    } else {
      // A class is one step, but a quoted text (\Q…\E) is one for each character.
      lastSize = pattern.startsWith('\\Q', at) ? end - at : 1;
      size += lastSize;
    }
    at = end;
  }
  return outerSizes.reduce((sum, one) => sum + one, size);
}

function endOfAtom(pattern: string, at: number): number {
  if (pattern.startsWith('\\Q', at)) return after('\\E', pattern, at);
  if (/^\\[pPx]\{/.test(pattern.slice(at, at + 3))) return after('}', pattern, at);
  if (pattern[at] === '\\') return at + 2;
  return pattern[at] === '[' ? endOfClass(pattern, at) : at + 1;
}

/** @param start the start of a class such as `[^]a-z\][:digit:]]`, in which a bracket at the start is a character */
function endOfClass(pattern: string, start: number): number {
  let at = start + (pattern[start + 1] === '^' ? 2 : 1);
  if (pattern[at] === ']') at += 1;
  while (at < pattern.length && pattern[at] !== ']') {
    if (pattern.startsWith('[:', at) && pattern.includes(':]', at)) at = after(':]', pattern, at);
    else at += pattern[at] === '\\' ? 2 : 1;
  }
  return at + 1;
}

const after = (end: string, pattern: string, at: number): number => {
  const index = pattern.indexOf(end, at + 1);
  return index === -1 ? pattern.length : index + end.length;
};
