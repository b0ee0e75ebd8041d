/** Schemas of nested values: their levels and nodes are counted before anything recurses. */

import * as z from 'zod';

type Node = Readonly<Record<string, unknown>>;

type Limits = {
  levels: number;
  nodes: number;
  /** The nodes below a node, which can have any form. */
  childrenOf: (node: Node) => readonly unknown[];
  /** Says why these nodes are refused, if they are. */
  refuse?: (nodes: readonly Node[]) => string | undefined;
};

/** @returns a schema that refuses a value with more levels or nodes, however deep it is nested */
export const withinLimits = <Schema extends z.ZodType>(schema: Schema, limits: Limits) =>
  z.preprocess((value, context) => {
    const message = tooNested(value, limits);
    if (message === undefined) return value;
    context.issues.push({ code: 'custom', message, input: value });
    return z.NEVER;
  }, schema);

function tooNested(value: unknown, { levels, nodes, childrenOf, refuse }: Limits): string | undefined {
  let count = 0;
  const records: Node[] = [];
  let current: unknown[] = [value];
  for (let level = 1; current.length > 0; level += 1) {
    if (level > levels) return `must have at most ${levels} levels`;
    const next: unknown[] = [];
    for (const node of current) {
      count += 1;
      if (count > nodes) return `must have at most ${nodes} nodes`;
      if (!isRecord(node)) continue;
      records.push(node);
      for (const child of childrenOf(node)) next.push(child);
    }
    current = next;
  }
  return refuse?.(records);
}

const isRecord = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
