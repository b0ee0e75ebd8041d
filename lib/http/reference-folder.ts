import { resolve } from 'node:path';

/** The folder of the API reference's files. In a function, they are beside it: the bundle replaces this file. */
export const referenceFolder = resolve(import.meta.dirname, '../../dist/reference');
