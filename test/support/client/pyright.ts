/** What pyright says of Python code in its strict mode. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { checker } from '../npm-package.ts';

export type Diagnostic = { file: string; line: number; severity: string; message: string };

type Report = {
  generalDiagnostics: {
    file: string;
    severity: string;
    message: string;
    range: { start: { line: number } };
  }[];
};

export const hasPyright = (): boolean => checker('pyright') !== undefined;

/**
 * @param python where it finds installed packages
 * @param extraPaths where it finds others
 */
export function pyright(folder: string, python: string, extraPaths: readonly string[] = []): Diagnostic[] {
  const settings = mkdtempSync(join(tmpdir(), 'platform-api-pyright-'));
  try {
    const config = join(settings, 'pyrightconfig.json');
    const options = { typeCheckingMode: 'strict', pythonVersion: '3.10', extraPaths };
    writeFileSync(config, JSON.stringify({ ...options, include: [relativeTo(settings, folder)] }));
    const args = [
      resolve(checker('pyright') ?? '', 'index.js'),
      '--outputjson',
      '--pythonpath',
      python,
      '--project',
      config,
    ];
    const { stdout, stderr } = spawnSync(process.execPath, args, {
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
    if (!stdout.startsWith('{')) throw new Error(`pyright failed: ${stdout}${stderr}`);
    const { generalDiagnostics } = JSON.parse(stdout) as Report;
    return generalDiagnostics.map(({ file, severity, message, range }) => ({
      file: file.slice(folder.length + 1),
      line: range.start.line + 1,
      severity,
      message,
    }));
  } finally {
    rmSync(settings, { recursive: true, force: true });
  }
}

/** pyright takes no absolute paths. */
const relativeTo = (from: string, to: string) => `${'../'.repeat(from.split('/').length - 1)}${to.slice(1)}`;
