/** Runs a command: from its words to its exit code. */

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
    const failure = failureOf(error, targetOf(program, args), proxyAdvice(shell.env));
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
  // The result that --exit-code reports is no error.
  const label = exit === 'unchanged' || exit === 'interrupted' ? '' : `${paint('red', 'Error:')} `;
  stderr.write(`${label}${safeText(message)}${details && ` (${safeText(details)})`}\n`);
  if (next) stderr.write(`${paint('dim', 'Next:')}  ${safeText(next)}\n`);
  return exitCode;
}

/** The command that the words name. If no command has all words, it is the nearest command above. */
type Target = { command: Command; names: string[] };

function targetOf(program: Command, args: readonly string[]): Target {
  let command = program;
  const names = ['platform'];
  for (const word of args) {
    const subcommand = command.commands.find((one) => one.name() === word);
    if (!subcommand) break;
    command = subcommand;
    names.push(word);
  }
  return { command, names };
}

function failureOf(error: unknown, target: Target, proxy: ProxyAdvice): Failure | undefined {
  if (error instanceof ValidationError)
    return { ...describe(error), message: validationMessage(error, target) };
  if (!(error instanceof CommanderError)) return describe(error, proxy);
  // --help and --version have been printed.
  if (error.exitCode === 0) return undefined;
  const message = error.message.replace(/^error: /, '');
  const next = [...target.names, '--help'].join(' ');
  // A command that only has subcommands was called without a subcommand: its help has been left out.
  if (error.code === 'commander.help') return { exit: 'usage', message: 'Which command?', next };
  return { exit: 'usage', message: message.replace(/^./, (first) => first.toUpperCase()), next };
}

/** @returns a line for each invalid field, with its option */
function validationMessage({ reason, details }: ValidationError, { command }: Target): string {
  const [first = ''] = reason.split('\n');
  const lines = details.map(({ path, message: problem }) => {
    const option = optionFor(command, path);
    return `\n  ${option ? `${option.long} (${path})` : path}: ${problem}`;
  });
  return first + lines.join('');
}
