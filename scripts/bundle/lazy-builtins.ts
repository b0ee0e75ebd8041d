/** How bundles load what Node has built in. */

import { existsSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import type { Plugin } from 'esbuild';

/**
 * A static import of a builtin reads all of its exports. Some are getters that load a lot: `http.WebSocket` loads
 * undici, `crypto.webcrypto` all of Web Crypto, together about 40 ms of a cold start. `process.getBuiltinModule` reads
 * only the exports that are used.
 */
export const lazyBuiltins: Plugin = {
  name: 'lazy-builtins',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[a-z:_/]+$/ }, ({ path, kind, importer }) => {
      if (!isBuiltin(path)) return undefined;
      const isEager = kind === 'import-statement' && !namesGetter(importer, path);
      return { path, namespace: isEager ? 'builtin-exports' : 'builtin', sideEffects: false };
    });
    onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('${path}')`,
      loader: 'js',
    }));
    onLoad({ filter: /.*/, namespace: 'builtin-exports' }, ({ path }) => ({
      contents: exportsOf(path),
      loader: 'js',
    }));
  },
};

const descriptorsOf = (builtin: string) =>
  Object.entries(Object.getOwnPropertyDescriptors(process.getBuiltinModule(builtin) ?? {}));

/** @returns whether a file names an export that is a getter: it is read when the file uses it, so the file gets the module */
function namesGetter(file: string, builtin: string): boolean {
  const getters = descriptorsOf(builtin).flatMap(([name, { get }]) => (get ? [name] : []));
  const source = getters.length > 0 && existsSync(file) ? readFileSync(file, 'utf8') : '';
  return getters.some((name) => source.includes(name));
}

/** @returns an ES module. Reading an export is marked as pure, so esbuild drops those that are not used */
function exportsOf(builtin: string): string {
  const names = descriptorsOf(builtin).flatMap(([name, { get }]) =>
    get || name === 'default' ? [] : [name],
  );
  return [
    `const builtin = /* @__PURE__ */ process.getBuiltinModule('${builtin}');`,
    'const readExport = (name) => builtin[name];',
    'export default builtin;',
    ...names.map((name) => `export const ${name} = /* @__PURE__ */ readExport('${name}');`),
  ].join('\n');
}
