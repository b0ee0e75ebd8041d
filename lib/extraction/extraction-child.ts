/**
 * The child process that extracts the text of one file: the file comes on its standard input, the hint of its type is its argument
 * (JSON), and the outcome goes to its standard output. The process has the libraries that read files of strangers, and nothing else of
 * the service.
 */

import { buffer } from 'node:stream/consumers';
import { NotExtractable } from '../readers/types.ts';
import { extractText } from './extract.ts';

// The parent learns that the process has started. JSON may begin with white space.
process.stdout.write('\n');
// A library may reject a promise that nobody waits for. The outcome does not depend on it.
process.on('unhandledRejection', () => {});
// Libraries print warnings.
for (const method of ['log', 'info', 'warn', 'debug', 'error'] as const) console[method] = () => {};

async function outcomeOf(file: Buffer) {
  try {
    return await extractText(file, JSON.parse(process.argv[2] ?? '{}'));
  } catch (error) {
    const { code, message } =
      error instanceof NotExtractable
        ? error
        : new NotExtractable('unreadable_file', 'The file is broken, or is not what it seems.');
    return { error: { code, message } };
  }
}

const outcome = JSON.stringify(await outcomeOf(await buffer(process.stdin)));
// A library may have left a timer.
process.stdout.end(outcome, () => process.exit(0));
