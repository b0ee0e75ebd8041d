/** A command, from its words to its exit code. */

import { type Command, CommanderError } from 'commander';
import { ValidationError } from '../../clients/typescript/src/index.ts';
import { commonLast } from './arguments.ts';
import { completionText } from './commands/completion.ts';
import { optionFor } from './derived/options.ts';
import { describe, type Failure } from './errors.ts';
import { exitCodes } from './exit-codes.ts';
import { paintFor, safeJson, safeText } from './output/text.ts';
import { createProgram } from './program.ts';
import { type ProxyAdvice, proxyAdvice } from './proxy.ts';
import type { Shell } from './shell.ts';

/**
 * @param words what is typed behind `platform`
 * @returns the exit code
 */
export async function runCommand(shell: Shell, words: readonly string[]): Promise<number> {
  const program = createProgram(shell);
  const args = commonLast(program, words);
  try {
    const [first, ...rest] = args;
    if (first === undefined) program.help();
    else if (first === '__complete') {
      const text = await completionText(program, shell, rest);
      if (text === undefined) return exitCodes.failed.code;
      shell.stdout.write(text);
    } else await program.parseAsync(args, { from: 'user' });
    return exitCodes.ok.code;
  } catch (error) {
    const failure = failureOf(error, commandMeant(program, args), proxyAdvice(shell.env));
    return failure ? report(shell, words, failure) : exitCodes.ok.code;
  }
}

/**
 * Prints why it has failed.
 * @returns the exit code
 */
export function report(
  shell: Pick<Shell, 'env' | 'stderr'>,
  words: readonly string[],
  { exit, message, code, status, requestId, next }: Failure,
): number {
  const { stderr } = shell;
  const exitCode = exitCodes[exit].code;
  if (words.includes('--json')) {
    const error = { message, code, status, requestId, next, exitCode };
    stderr.write(`${safeJson({ error })}\n`);
    return exitCode;
  }
  const paint = paintFor(shell, stderr);
  const details = [code, requestId && `request ${requestId}`].filter(Boolean).join(', ');
  // What --exit-code tells is no error.
  const label = exit === 'unchanged' || exit === 'interrupted' ? '' : `${paint('red', 'Error:')} `;
  stderr.write(`${label}${safeText(message)}${details && ` (${safeText(details)})`}\n`);
  if (next) stderr.write(`${paint('dim', 'Next:')}  ${safeText(next)}\n`);
  return exitCode;
}

/** The command that the words name, as far as they do. */
type Meant = { command: Command; names: string[] };

function commandMeant(program: Command, args: readonly string[]): Meant {
  let command = program;
  const names = ['platform'];
  for (const word of args) {
    const below = command.commands.find((one) => one.name() === word);
    if (!below) break;
    command = below;
    names.push(word);
  }
  return { command, names };
}

function failureOf(error: unknown, meant: Meant, proxy: ProxyAdvice): Failure | undefined {
  if (error instanceof ValidationError) return { ...describe(error), message: explained(error, meant) };
  if (!(error instanceof CommanderError)) return describe(error, proxy);
  // --help and --version have been printed.
  if (error.exitCode === 0) return undefined;
  const message = error.message.replace(/^error: /, '');
  const next = [...meant.names, '--help'].join(' ');
  // A command that only has subcommands was called without a subcommand: its help has been left out.
  if (error.code === 'commander.help') return { exit: 'usage', message: 'Which command?', next };
  return { exit: 'usage', message: message.replace(/^./, (first) => first.toUpperCase()), next };
}

/** Each invalid field on a line, with its option. */
function explained({ reason, details }: ValidationError, { command }: Meant): string {
  const [first = ''] = reason.split('\n');
  const lines = details.map(({ path, message: problem }) => {
    const option = optionFor(command, path);
    return `\n  ${option ? `${option.long} (${path})` : path}: ${problem}`;
  });
  return first + lines.join('');
}
