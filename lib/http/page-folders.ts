/** The folders of files that functions serve. In a function, they are beside it: the bundle replaces this file. */

import { resolve } from 'node:path';

/** Of the API reference. */
export const referenceFolder = resolve(import.meta.dirname, '../../dist/reference');

/** Of the console. */
export const consoleFolder = resolve(import.meta.dirname, '../../dist/console');

/** Of llms.txt. */
export const llmsFolder = resolve(import.meta.dirname, '../..');
