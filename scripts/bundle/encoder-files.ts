/** The files that a function with the encoder has beside its code: the model, and its runtime with the libraries of one machine. */

import { copyFileSync, linkSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { modelFolder } from '../../lib/search/semantic/encoder.ts';
import type { FetchedPackage } from '../shared/fetched-packages.ts';
import { deployedMachine, localMachine, type Machine } from '../shared/machines.ts';
import { root } from '../shared/root.ts';

/** @returns where the functions will run: an emulated account, which has an endpoint of its own, runs them on this machine */
export const machineOf = ({ AWS_ENDPOINT_URL }: Readonly<Record<string, string | undefined>>): Machine =>
  AWS_ENDPOINT_URL ? localMachine : deployedMachine;

/** The runtime finds its libraries by the path of its own file, so it stays a package. */
export const runtimePackage = 'onnxruntime-node' satisfies FetchedPackage;

const packages = resolve(root, 'node_modules');

/** The files of the packages that run: no sources, types, maps, and libraries of other machines. */
const runtimeFiles = (machine: Machine): string[] => [
  ...filesIn('onnxruntime-common', /^package\.json$|^dist\/cjs\/.*\.(js|json)$/),
  ...filesIn(runtimePackage, /^package\.json$|^dist\/.*\.js$/),
  ...filesIn(runtimePackage).filter((path) => path.startsWith(`${runtimePackage}/bin/napi-v6/${machine}/`)),
];

const filesIn = (name: string, pattern = /^/): string[] =>
  readdirSync(resolve(packages, name), { recursive: true, encoding: 'utf8' })
    .filter((path) => pattern.test(path))
    .map((path) => `${name}/${path}`);

/** Matches the paths of these files, and no other path in the folder of a function. */
export const encoderFile = /\/dist\/functions\/[^/]+\/(model|node_modules)\//;

/** Puts the encoder's files into the folder of a function, in place of those for another machine. */
export function putEncoderFiles(folder: string, machine: Machine): void {
  for (const name of ['model', 'node_modules'])
    rmSync(resolve(folder, name), { recursive: true, force: true });
  for (const name of readdirSync(modelFolder)) {
    put(resolve(modelFolder, name), resolve(folder, 'model', name));
  }
  for (const path of runtimeFiles(machine)) {
    put(resolve(packages, path), resolve(folder, 'node_modules', path));
  }
}

/** Makes a link, because three functions have the same 50 MB. */
function put(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  try {
    linkSync(from, to);
  } catch {
    // A link cannot lead to another disk.
    copyFileSync(from, to);
  }
}
