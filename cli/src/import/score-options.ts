/** The scores that an import sends: `--score NAME=PATH`, and the evaluators that they belong to. */

import { EvaluatorNameTakenError, type ScoreOutput } from '../../../clients/typescript/src/index.ts';
import { CliError, usageError } from '../errors.ts';
import type { Session } from '../session.ts';
import { type ScoreValue, scoreTypeFits } from './score-values.ts';

export type Outputs = Record<string, ScoreOutput>;

/** @param pairs texts such as `csat=.analysis.csat`. @returns the jq expressions, by the name of the evaluator */
export function scoresOf(pairs: readonly string[] = []): Record<string, string> {
  const scores: Record<string, string> = {};
  for (const pair of pairs) {
    const [, name, expression] = /^([a-z0-9_-]{1,40})=(.*\S.*)$/s.exec(pair) ?? [];
    if (name === undefined || expression === undefined || name === '__proto__')
      throw usageError(
        `--score must be NAME=PATH: ${pair}`,
        'NAME is 1 to 40 of the characters a-z, 0-9, _ and -. PATH is a jq path in a record of the export: .analysis.csat',
      );
    if (Object.hasOwn(scores, name)) throw usageError(`--score ${name} is there twice.`);
    scores[name] = expression;
  }
  return scores;
}

/** @returns the outputs of the evaluators that exist. @throws CliError if a name belongs to an evaluator of another kind */
export async function existingOutputs(
  { project, signal }: Session,
  names: readonly string[],
): Promise<Outputs> {
  const outputs: Outputs = {};
  for (const name of names)
    for await (const evaluator of project.evaluators.list({ name, limit: 100 }, { signal })) {
      if (evaluator.kind !== 'external')
        throw new CliError(
          'conflict',
          `The evaluator ${name} is not external: its kind is ${evaluator.kind}. Nothing was sent.`,
          'Choose another NAME for --score.',
        );
      outputs[name] = evaluator.output;
    }
  return outputs;
}

/** The values of one score. */
export class ScoreValues {
  readonly #types = new Set<string>();
  #first: ScoreValue | undefined;
  #min = Number.POSITIVE_INFINITY;
  #max = Number.NEGATIVE_INFINITY;

  add(value: ScoreValue): void {
    this.#first ??= value;
    this.#types.add(typeof value);
    if (typeof value !== 'number') return;
    this.#min = Math.min(this.#min, value);
    this.#max = Math.max(this.#max, value);
  }

  /**
   * @param output that of an evaluator which exists
   * @returns the output of the evaluator; undefined without values
   * @throws CliError if the values have several types, or another type than the evaluator
   */
  outputOf(name: string, output: ScoreOutput | undefined): ScoreOutput | undefined {
    if (this.#first === undefined) return output;
    if (this.#types.size > 1)
      throw usageError(
        `--score ${name} has values of several types: ${[...this.#types].sort().join(', ')}. Nothing was sent.`,
      );
    if (!output) return this.#newOutput();
    if (scoreTypeFits(output.type, this.#first)) return output;
    throw new CliError(
      'conflict',
      `The evaluator ${name} has the output ${output.type}, and the values are of the type ${typeof this.#first}. Nothing was sent.`,
      'Convert the values in PATH, or choose another NAME.',
    );
  }

  #newOutput(): ScoreOutput {
    if (this.#types.has('boolean')) return { type: 'boolean' };
    if (this.#types.has('string')) return { type: 'text' };
    const scale = scales.find(([min, max]) => min <= this.#min && this.#max <= max) ?? widest;
    return { type: 'number', min: scale[0], max: scale[1] };
  }
}

/** An output never changes, so later values must fit, too: the first usual scale that has all values. */
const scales: readonly (readonly [number, number])[] = [
  [0, 1],
  [1, 5],
  [0, 10],
  [0, 100],
];
const widest = [-1e9, 1e9] as const;

/** Creates the evaluator. Another import may create it at the same time: then its output must be able to have the values. */
export async function ensureEvaluator(session: Session, name: string, values: ScoreValues): Promise<void> {
  const [found] = Object.values(await existingOutputs(session, [name]));
  const output = values.outputOf(name, found);
  if (found || !output) return;
  const { project, signal } = session;
  try {
    await project.evaluators.create(
      { name, kind: 'external', description: 'The values come from an import.', output },
      { signal },
    );
  } catch (error) {
    if (!(error instanceof EvaluatorNameTakenError)) throw error;
    const [others] = Object.values(await existingOutputs(session, [name]));
    values.outputOf(name, others);
  }
}
