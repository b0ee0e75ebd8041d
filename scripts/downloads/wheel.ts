/**
 * A wheel of Python: a zip archive with metadata. The same files become the same bytes on every machine, so the times are fixed,
 * and the compression is not that of zlib, whose output depends on its version.
 * @see https://packaging.python.org/en/latest/specifications/binary-distribution-format/
 */

import { createHash } from 'node:crypto';
import { type ZipOptions, type Zippable, zipSync } from 'fflate';

/** What the wheel needs of pyproject.toml. */
export type PythonProject = {
  name: string;
  description: string;
  license: string;
  requiresPython: string;
  classifiers: string[];
  /** The packages that each extra needs. */
  extras: Record<string, string[]>;
};

export type WheelVersion = {
  /** Such as `0.2.0`. */
  version: string;
  /** Tells builds of a version apart. It begins with a digit: `0g1bc1bbf` is commit `1bc1bbf`. */
  build: string;
};

/** The name of the file. pip reads the name and the version of the package from it. */
export const wheelName = (name: string, { version, build }: WheelVersion): string =>
  `${moduleName(name)}-${version}-${build}-py3-none-any.whl`;

/**
 * @param files the content of each installed file by its path, such as `platform_api/__init__.py`
 * @param licence the text of the licence
 * @param readme the description, in Markdown
 */
export function wheelOf(
  files: Readonly<Record<string, Uint8Array>>,
  project: PythonProject & { licence: string; readme: string },
  { version, build }: WheelVersion,
): Uint8Array {
  if (!/^\d+(\.\d+)*$/.test(version)) throw new Error(`a wheel cannot have the version ${version}`);
  if (!/^\d[\w.]*$/.test(build)) throw new Error(`a wheel cannot have the build ${build}`);
  const info = `${moduleName(project.name)}-${version}.dist-info`;
  const described = {
    [`${info}/LICENSE`]: bytesOf(project.licence),
    [`${info}/METADATA`]: bytesOf(metadata(project, version)),
    [`${info}/WHEEL`]: bytesOf(
      `Wheel-Version: 1.0\nGenerator: ${project.name}\nRoot-Is-Purelib: true\nTag: py3-none-any\nBuild: ${build}\n`,
    ),
  };
  const entries = [...sorted(files), ...sorted(described)];
  const record = entries.map(([path, bytes]) => `${path},sha256=${digest(bytes)},${bytes.length}\n`);
  const list = `${info}/RECORD`;
  return zipped([...entries, [list, bytesOf(`${record.join('')}${list},,\n`)]]);
}

type Entry = [path: string, bytes: Uint8Array];

const moduleName = (name: string) => name.replaceAll('-', '_');

const bytesOf = (text: string) => new TextEncoder().encode(text);

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('base64url');

const sorted = (files: Readonly<Record<string, Uint8Array>>): Entry[] =>
  Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1));

function zipped(entries: readonly Entry[]): Uint8Array {
  // The earliest time of the format. The library reads its local fields. The attributes are those of a Unix file: rw-r--r--.
  const options: ZipOptions = { level: 9, mtime: new Date(1980, 0, 1), os: 3, attrs: 0o100644 << 16 };
  return zipSync(
    Object.fromEntries(entries.map(([path, bytes]): [string, Zippable[string]] => [path, [bytes, options]])),
  );
}

function metadata(project: PythonProject & { readme: string }, version: string): string {
  const extras = Object.entries(project.extras).flatMap(([extra, needs]) => [
    `Provides-Extra: ${extra}`,
    ...needs.map((one) => `Requires-Dist: ${one}; extra == "${extra}"`),
  ]);
  return `${[
    'Metadata-Version: 2.1',
    `Name: ${project.name}`,
    `Version: ${version}`,
    `Summary: ${project.description}`,
    `License: ${project.license}`,
    'License-File: LICENSE',
    ...project.classifiers.map((one) => `Classifier: ${one}`),
    `Requires-Python: ${project.requiresPython}`,
    ...extras,
    'Description-Content-Type: text/markdown',
  ].join('\n')}\n\n${project.readme}`;
}
