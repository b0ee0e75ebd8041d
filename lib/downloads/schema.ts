import * as z from 'zod';
import { shownCount } from '../schema/common.ts';
import { downloadKinds } from './releases.ts';

export const Download = z
  .object({
    file: z.string().meta({
      description: 'The name, with the version and the commit. A file never changes.',
      example: 'platform-api-cli-0.2.0-g1bc1bbf.tgz',
    }),
    kind: z.enum(downloadKinds).meta({ description: 'The command line (`cli`), or a client.' }),
    version: z.string().meta({ description: 'The version.', example: '0.2.0-g1bc1bbf' }),
    bytes: shownCount().meta({ description: 'The size.', example: 181_245 }),
    sha256: z.string().meta({
      description: 'The SHA-256 of the file, in hexadecimal.',
      example: 'f2ca1bb6c7e907d06dafe4687e579fce76b37e4e93b7605022da52e6ccc26fd2',
    }),
    url: z.string().meta({
      description: 'The address of the file.',
      example: 'https://api.example.com/api/v1/downloads/platform-api-cli-0.2.0-g1bc1bbf.tgz',
    }),
    install: z.string().meta({
      description: 'The command that installs the file.',
      example:
        'npm install --global https://api.example.com/api/v1/downloads/platform-api-cli-0.2.0-g1bc1bbf.tgz',
    }),
  })
  .meta({ id: 'Download', description: 'A file for callers of the API: the command line, or a client.' });
