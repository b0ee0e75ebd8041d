/** Which documents a stored response shows. Pure. */

/** Citations are the caller's own texts, and belong to the conversation. */
const citations = 'citations';

/**
 * @param response the response of any endpoint, as JSON
 * @returns the ids of the documents whose title it has, with whatever else it has of them. An id alone only refers to a document
 */
export function documentsIn(response: unknown): Set<string> {
  const ids = new Set<string>();
  // A loop instead of recursion, because a response may have JSON of the caller, in any depth.
  const rest = [response];
  while (rest.length > 0) {
    const value = rest.pop();
    if (typeof value !== 'object' || value === null) continue;
    const members = Object.entries(value);
    const isTitled = members.some(([name]) => name === 'title');
    for (const [name, member] of members) {
      if (isTitled && (name === 'id' || name === 'documentId') && typeof member === 'string') ids.add(member);
      if (name !== citations) rest.push(member);
    }
  }
  return ids;
}
