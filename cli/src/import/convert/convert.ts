/** Converts records with a jq program. jq runs as WebAssembly: it reads no files and no variables, and has 256 MB of memory. */

import { type Jq, loadJq } from 'jq-wasm/inline';
import { type Converted, failed, type MapOptions } from './converted.ts';
import { conversationFrom, scoresFrom } from './fit.ts';

/** The program, or the expression of a score, is wrong. */
export class MapProblem extends Error {}

export type Convert = (records: readonly string[]) => Promise<Converted[]>;

/** A record with more results is more likely a mistake. */
export const maxResults = 1000;

/** @throws MapProblem if jq cannot compile the map or a score */
export async function openConverter(options: MapOptions): Promise<Convert> {
  let jq = await loadJq();
  const { program, scores } = options;
  compile(jq, program, 'The map');
  for (const [name, expression] of Object.entries(scores)) compile(jq, expression, `--score ${name}`);
  const query = queryFrom(program, scores);

  const run = async (records: readonly string[]): Promise<Converted[] | string> => {
    const lines = await linesFrom(records);
    return typeof lines === 'string'
      ? lines
      : lines.map((line) => convertedFrom(JSON.parse(line) as Answer, options));
  };

  /** @returns a line for each record, or why there is none */
  const linesFrom = async (records: readonly string[]): Promise<string[] | string> => {
    try {
      const { stdout, stderr } = jq.raw(records.join('\n'), query, ['-c']);
      const lines = stdout === '' ? [] : stdout.split('\n');
      return lines.length === records.length ? lines : reasonFrom(stderr);
    } catch {
      // jq has stopped in the middle, so its memory is not used again.
      jq = await loadJq();
      return 'The map needs too much memory for this record.';
    }
  };

  return async (records) => {
    const together = await run(records);
    if (typeof together !== 'string') return together;
    // A record has stopped jq, or has read the next one. Alone, each record has a result of its own.
    const results: Converted[] = [];
    for (const record of records) {
      const alone = await run([record]);
      results.push(typeof alone === 'string' ? failed(alone) : (alone[0] ?? failed(reasonFrom(''))));
    }
    return results;
  };
}

/** Without input, jq only compiles the program. */
function compile(jq: Jq, program: string, name: string): void {
  const { stderr, exitCode } = jq.raw('', program);
  if (exitCode === 0) return;
  throw new MapProblem(`${name} is not a jq program: ${stderr.trim()}`);
}

/** For each record, one line: all results, or the error. Without a limit, a map could have results without end. */
const queryFrom = (program: string, scores: MapOptions['scores']): string => `
def __map:
${program}
;
${Object.values(scores)
  .map((expression, index) => `def __score${index}:\n${expression}\n;`)
  .join('\n')}
def __named($name): error($name + (if type == "string" then . else tojson end));
. as $__record | try (
  (try [limit(${maxResults + 1}; __map)] catch __named("The map has failed: ")) as $__results
  | {results: $__results, scores: (if $__results == [] then {} else $__record | {${Object.keys(scores)
    .map((name, index) => {
      const text = JSON.stringify(name);
      return `${text}: (try [limit(2; __score${index})] catch __named("--score " + ${text} + ": "))`;
    })
    .join(', ')}} end)}
) catch {error: .}`;

type Answer =
  | { results: readonly unknown[]; scores: Readonly<Record<string, readonly unknown[]>> }
  | { error: string };

function convertedFrom(answer: Answer, options: MapOptions): Converted {
  if ('error' in answer) return failed(answer.error);
  const { results } = answer;
  if (results.length > maxResults)
    return failed(`The map has more than ${maxResults} results for this record.`);
  const scores = results.length === 0 ? {} : scoresFrom(answer.scores, options.outputs);
  if (typeof scores === 'string') return failed(scores);
  const fitted = results.map((result) => conversationFrom(result, options));
  const problems = fitted.filter((one) => typeof one === 'string');
  const fitting = fitted.filter((one) => typeof one !== 'string');
  const shortened: Record<string, number> = {};
  for (const one of fitting)
    for (const [field, count] of Object.entries(one.shortened))
      shortened[field] = (shortened[field] ?? 0) + count;
  const conversations = fitting.map(({ shortened: _, ...conversation }) => conversation);
  return { conversations, problems, scores, shortened };
}

/** @returns the last line that jq has printed, which says why it has ended */
function reasonFrom(stderr: string): string {
  const last = stderr.trim().split('\n').at(-1);
  return last ? `The map has failed: ${last}` : 'The map has ended jq.';
}
