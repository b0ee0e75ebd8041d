/** What makes a document of a file, in each client. */

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { documentFrom } from '../../../clients/typescript/src/node.ts';
import { environmentOf, type Interpreter, interpreters } from './pythons.ts';

export type FromFile = {
  externalId: string;
  title: string;
  content: string;
  mimeType: string;
  tookMs: number;
};

type Read = (path: string, content: string) => Promise<FromFile>;
type Reader = { read: Read; close: () => void };

const [python] = interpreters();

/** Declares the tests once for each client. Python may be missing. */
export function describeReaders(declare: (read: Read) => void): void {
  describeReader('TypeScript', () => ({ read: inTypeScript, close: () => {} }), declare);
  if (python) describeReader('Python', () => inPython(python), declare);
  else test.skip('Python is missing');
}

function describeReader(name: string, open: () => Reader, declare: (read: Read) => void): void {
  describe(name, () => {
    let reader: Reader;
    beforeAll(() => {
      reader = open();
    });
    afterAll(() => reader.close());
    declare((path, content) => reader.read(path, content));
  });
}

async function inTypeScript(path: string, content: string): Promise<FromFile> {
  const startMs = performance.now();
  const document = documentFrom(path, content);
  return { ...document, tookMs: performance.now() - startMs };
}

function inPython(interpreter: Interpreter): Reader {
  const child = spawn(interpreter.command, [join(import.meta.dirname, 'python/documents.py')], {
    env: { ...environmentOf(interpreter, false), PYTHONUTF8: '1' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async read(path, content) {
      child.stdin.write(`${JSON.stringify([path, content])}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error('Python has ended');
      return JSON.parse(value) as FromFile;
    },
    close: () => void child.kill(),
  };
}
