/** How deep the items of lists stand, by their left edges: items of one list may have the levels of several. */

/** Programs round edges. */
const tolerance = 40;

/** @returns a function that takes the left edges of paragraphs in their order, and gives the depth of an item */
export function itemDepths(): (left: number, isItem: boolean) => number {
  const edges: number[] = [];
  return (left, isItem) => {
    while ((edges.at(-1) ?? left) > left + tolerance) edges.pop();
    const innermost = edges.at(-1);
    if (isItem && (innermost === undefined || left > innermost + tolerance)) edges.push(left);
    return Math.max(0, edges.length - 1);
  };
}
