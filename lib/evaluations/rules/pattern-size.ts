/** How large a regular expression (RE2) becomes, before it is compiled: `(a{9}){9}` has 81 steps. */

const counted = /\{(\d+)(?:,(\d*))?\}/y;

/** @returns about its number of characters and classes, with each repetition written out; any number if it is not valid */
export function estimateSteps(pattern: string): number {
  /** What is before each open group, outermost first. */
  const before: number[] = [];
  let size = 0;
  let last = 0;
  for (let at = 0; at < pattern.length; ) {
    counted.lastIndex = at;
    const [repetition, least, most] = counted.exec(pattern) ?? [];
    if (repetition !== undefined) {
      const times = Math.max(1, Number(least), Number(most ?? 0));
      size += last * (times - 1);
      last *= times;
      at += repetition.length;
      continue;
    }
    const end = endOfAtom(pattern, at);
    if (pattern[at] === '(') {
      before.push(size);
      size = 0;
    } else if (pattern[at] === ')') {
      last = size + 1;
      size = (before.pop() ?? 0) + last;
    } else {
      // A class is one step, but a quoted text (\Q…\E) is one for each character.
      last = pattern.startsWith('\\Q', at) ? end - at : 1;
      size += last;
    }
    at = end;
  }
  return before.reduce((sum, one) => sum + one, size);
}

function endOfAtom(pattern: string, at: number): number {
  if (pattern.startsWith('\\Q', at)) return after('\\E', pattern, at);
  if (/^\\[pPx]\{/.test(pattern.slice(at, at + 3))) return after('}', pattern, at);
  if (pattern[at] === '\\') return at + 2;
  return pattern[at] === '[' ? endOfClass(pattern, at) : at + 1;
}

/** @param start of a class such as `[^]a-z\][:digit:]]`, in which a bracket at the start is a character */
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
  const found = pattern.indexOf(end, at + 1);
  return found === -1 ? pattern.length : found + end.length;
};
