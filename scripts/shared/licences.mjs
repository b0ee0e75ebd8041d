/** The licences of bundled libraries, which they require to go with every copy. In JavaScript, because Node 20 builds the command line. */

import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/**
 * @param {string[]} inputs files of a bundle, as esbuild's metafile names them
 * @param {string} folder that they are relative to
 * @returns {Promise<string>} name, version and licence of each library, by name
 * @throws if a library has no text of its licence, and it is not MIT
 */
export async function licenceTexts(inputs, folder) {
  const folders = new Set(
    inputs.map((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(input)?.[0]),
  );
  folders.delete(undefined);
  const libraries = await Promise.all([...folders].map((path) => read(resolve(folder, path))));
  const texts = libraries.map(({ name, version, license, repository, text }) => {
    // Some packages of a repository leave the text out. A few name only the licence.
    const inRepository = libraries.find((other) => other.text && other.repository === repository)?.text;
    const found =
      text || inRepository || (license === 'MIT' && mit(`the authors of ${name} (${repository})`));
    if (!found) throw new Error(`${name} comes without the text of its licence (${license})`);
    return `${name} ${version} (${license})\n\n${found}\n`;
  });
  return texts.sort().join(`\n${'-'.repeat(80)}\n\n`);
}

/** https://spdx.org/licenses/MIT */
const mit = (holders) => `MIT License

Copyright (c) ${holders}

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.`;

async function read(folder) {
  const { name, version, license, repository } = JSON.parse(
    await readFile(join(folder, 'package.json'), 'utf8'),
  );
  const files = (await readdir(folder)).filter((file) => /^(licen[sc]e|copying|notice)\b/i.test(file));
  const texts = await Promise.all(files.sort().map((file) => readFile(join(folder, file), 'utf8')));
  return {
    name,
    version,
    license,
    repository: repository?.url ?? repository ?? name,
    text: texts.map((text) => text.trim()).join('\n\n'),
  };
}
