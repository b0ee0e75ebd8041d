/** The folders with files that functions serve. The bundle replaces this file: a function has the folders beside it. */

import { resolve } from 'node:path';

export const referenceFolder = resolve(import.meta.dirname, '../../dist/reference');

export const consoleFolder = resolve(import.meta.dirname, '../../dist/console');

export const llmsFolder = resolve(import.meta.dirname, '../..');
