import { describe } from 'vitest';
import { filesOf, missingFileOf } from '../../support/page-files.ts';
import { refuses, responds } from '../../support/responses.ts';

describe('docs.asset', () => {
  responds(200, 'with each file of the page, which caches may keep for a year', () => filesOf('docs'));
  refuses('not_found', 'a file that does not exist', () => missingFileOf('docs'));
});
