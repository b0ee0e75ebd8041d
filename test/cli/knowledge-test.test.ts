/** `knowledge test`: what a file may look like, what is wrong with it and where, and when CI fails. */
// @module-tag long

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { askInOneVersion } from '../../cli/src/evaluate/ask.ts';
import { rowsFrom } from '../../cli/src/evaluate/csv.ts';
import { questionsFrom } from '../../cli/src/evaluate/questions.ts';
import knowledgeIndexer from '../../workers/knowledge-indexer.ts';
import { jsonLines, useCli } from '../support/cli.ts';

const cells = (text: string) => rowsFrom(text).map((row) => row.cells);

describe('the rows of a CSV file', () => {
  test('have quoted cells, empty cells, and any line end', () => {
    expect(cells('a,b\r\n"x, y","say ""no"""\n,\n\n1,\n,2')).toEqual([
      ['a', 'b'],
      ['x, y', 'say "no"'],
      ['1', ''],
      ['', '2'],
    ]);
    expect(cells('a')).toEqual([['a']]);
    expect(cells('')).toEqual([]);
    expect(cells('a,b\n"",""\n"c",')).toEqual([
      ['a', 'b'],
      ['c', ''],
    ]);
  });

  test('are separated as the first line says', () => {
    expect(cells('q;externalId\none, two;a.md')).toEqual([
      ['q', 'externalId'],
      ['one, two', 'a.md'],
    ]);
    expect(cells('q\texternalId\none;two\ta.md')).toEqual([
      ['q', 'externalId'],
      ['one;two', 'a.md'],
    ]);
  });

  test('know their line, also behind a cell of several lines', () => {
    expect(rowsFrom('a,b\n"one\ntwo",c\n\nd,e').map(({ line }) => line)).toEqual([1, 2, 5]);
  });

  test.each([
    ['a,b\nc,"d', 'line 2: a quotation mark is not closed'],
    ['a,b\n"x\ny" z,c', 'line 3: there is text behind a quoted cell'],
  ])('%j is refused', (text, message) => {
    expect(() => rowsFrom(text)).toThrow(message);
  });
});

describe('the questions of a file', () => {
  test('of CSV may have several documents, in rows anywhere', () => {
    const text = [
      'q,externalId,source,documentId,grade,contains',
      'how,a.md,,,2,"30 days, or more"',
      ',b.md,wiki,,',
      '"where\nis it",,,kdoc_1,',
      'how,c.md,,,1',
    ].join('\n');
    expect(questionsFrom(text, 'handbook')).toEqual([
      {
        q: 'how',
        line: 2,
        expect: [
          { externalId: 'a.md', source: 'handbook', grade: 2, contains: '30 days, or more' },
          { externalId: 'b.md', source: 'wiki' },
          { externalId: 'c.md', source: 'handbook', grade: 1 },
        ],
      },
      { q: 'where is it', line: 4, expect: [{ documentId: 'kdoc_1' }] },
    ]);
    expect(questionsFrom('q,externalId\nhow,a.md', undefined)[0]?.expect).toEqual([{ externalId: 'a.md' }]);
  });

  test('of JSON lines are those of the API', () => {
    const text = '\n{"q":"how","expect":[{"externalId":"a.md","source":null},{"externalId":"b.md"}]}\n';
    expect(questionsFrom(text, 'handbook')).toEqual([
      {
        q: 'how',
        line: 2,
        expect: [
          { externalId: 'a.md', source: null },
          { externalId: 'b.md', source: 'handbook' },
        ],
      },
    ]);
  });

  test.each([
    ['', 'The file has no question'],
    ['q,externalId\n', 'The file has no question'],
    ['question,externalId\nhow,a.md', 'line 1: "question" is not a column'],
    ['q,q,externalId\nhow,how,a.md', 'line 1: a column is there twice'],
    ['q,source\nhow,a.md', 'line 1: must name q, and externalId or documentId'],
    ['q,externalId\n\n"how",', 'line 3: names no document'],
    ['q,externalId\n,a.md', 'line 2: has no question, and neither has a line above it'],
    ['q,externalId,documentId\nhow,a.md,kdoc_1', 'line 2: has an externalId and a documentId'],
    ['q,externalId,grade\nhow,a.md,4', 'line 2: grade must be 1, 2 or 3'],
    ['q,externalId\nwhat, then,a.md', 'line 2: has more cells than the first line'],
    ['{"q":"how"}', 'line 1: must be JSON such as'],
    ['{"q":"how","expect":[{"externalId":"a"}]}\n{"q":', 'line 2: must be JSON such as'],
    ['{"q":"how","expect":["a"]}', 'line 1: must be JSON such as'],
  ])('%j is refused', (text, message) => {
    expect(() => questionsFrom(text, undefined)).toThrow(message);
  });
});

describe('the questions of several requests', () => {
  const batches = [['a', 'b'], ['c']];
  const askedIn = async (versions: readonly string[]) => {
    const asked: (readonly [string, number])[] = [];
    const answers = await askInOneVersion(batches, async (batch, done) => {
      asked.push([batch.join(''), done]);
      return { indexVersion: versions[asked.length - 1] ?? '' };
    });
    return { asked, versions: answers.map(({ indexVersion }) => indexVersion) };
  };

  test('are asked in one version of the index', async () => {
    const once = [
      ['ab', 0],
      ['c', 2],
    ];
    expect(await askedIn(['v1', 'v1'])).toEqual({ asked: once, versions: ['v1', 'v1'] });
    expect(await askedIn(['v1', 'v2', 'v2', 'v2'])).toEqual({
      asked: [...once, ...once],
      versions: ['v2', 'v2'],
    });
  });

  test('are asked three times at most', async () => {
    await expect(askedIn(['v1', 'v2', 'v3', 'v4', 'v5', 'v6', 'v6', 'v6'])).rejects.toThrow('was replaced');
  });
});

describe('knowledge test', () => {
  const cli = useCli({ workers: [knowledgeIndexer] });
  const documents: Record<string, string> = {
    'returns.md': 'You can send anything back within 30 days.',
    'refunds.md': 'We refund to the card you paid with.',
    'parcels.md': 'Damaged parcels go back to us, for a refund.',
  };

  beforeAll(async () => {
    const { knowledge, jobs } = cli.project.project;
    for (const [externalId, content] of Object.entries(documents))
      await knowledge.documents.put(externalId, { source: 'handbook', title: externalId, content });
    await jobs.wait(await knowledge.reindex());
  });

  const run = (...args: string[]) => cli.run(args, { env: cli.project.env });
  const file = (text: string, name = 'questions.csv') => {
    const path = join(cli.home, name);
    writeFileSync(path, text);
    return path;
  };
  const tested = (text: string, ...more: string[]) =>
    run('knowledge', 'test', file(text), '--source', 'handbook', ...more);
  const good = 'q,externalId\nwithin how many days,returns.md\ncard,refunds.md\n';
  const judged = 'q,externalId,contains\nwithin how many days,returns.md,30 DAYS\ncard,refunds.md,the card\n';
  const bad = `${good}elephants,parcels.md\ndamaged,gone.md\n`;

  test('passes, and says how good the search is', async () => {
    const ran = await tested(good, '--min-recall', '1', '--min-ndcg', '0.9', '--min-mrr', '1.0');
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stdout).toMatch(
      /^2 questions, 2 passed: recall@5 1\.000, nDCG@10 1\.000, MRR 1\.000 \(by words, index version \w+\)\n$/,
    );
    expect(ran.stderr).toContain('Searched by words only');
    expect(ran.stderr).toContain('The file names only documents');
    expect((await tested(judged, '--mode', 'lexical')).stderr).toBe('');
  });

  test('fails with the questions that failed, where their documents are, and what came instead', async () => {
    const ran = await tested(bad, '--min-recall', '0.9');
    expect(ran).toMatchObject({ code: 11 });
    expect(ran.stderr).toContain('Error: recall@5 is 0.500, and must be at least 0.9.');
    expect(ran.stdout).toMatch(/^LINE +QUESTION +EXPECTED +FOUND\n/);
    expect(ran.stdout).toMatch(/^4 +elephants +parcels\.md \(not found\) +nothing$/m);
    expect(ran.stdout).toMatch(/^5 +damaged +gone\.md \(there is no such document\) +parcels\.md$/m);
    expect(ran.stdout).toContain('4 questions, 2 passed: recall@5 0.500, nDCG@10 0.500, MRR 0.500');
    expect(ran.stdout).not.toContain('returns.md');
    // Without a minimum, it only reports.
    expect(await tested(bad)).toMatchObject({ code: 0, stdout: ran.stdout });
    const below = await tested(bad, '--min-ndcg', '0.6', '--min-mrr', '0.7');
    expect(below.stderr).toContain('nDCG@10 is 0.500, and must be at least 0.6. MRR is 0.500');
  });

  test('judges passages, and fails if too few are handed over', async () => {
    const passed = await tested(judged, '--min-answer-in-5', '1', '--min-answer-in-10', '1');
    expect(passed).toMatchObject({ code: 0 });
    expect(passed.stdout).toContain(
      '2 questions, 2 passed: recall@5 1.000, nDCG@10 1.000, MRR 1.000, answerIn5 1.000, answerIn10 1.000',
    );
    const wrong = `${judged}damaged,parcels.md,in cash\n`;
    const ran = await tested(wrong, '--min-answer-in-5', '0.9');
    expect(ran).toMatchObject({ code: 11 });
    expect(ran.stderr).toContain('Error: answerIn5 is 0.666, and must be at least 0.9.');
    expect(ran.stdout).toMatch(/^4 +damaged +parcels\.md \(rank 1, passage not found\) +nothing else$/m);
    expect(jsonLines(await tested(wrong, '--json'))).toMatchObject([
      { recallAt5: 1, answerIn5: expect.closeTo(2 / 3), questions: [{ answerIn5: 1 }, {}, { answerIn5: 0 }] },
    ]);
    // Without passages, there is nothing to compare with the minimum.
    const unjudged = await tested(good, '--min-answer-in-5', '0.5');
    expect(unjudged).toMatchObject({ code: 11 });
    expect(unjudged.stderr).toContain('answerIn5 was not measured, because no question names a passage.');
  });

  test('shows an answer that is found too late, if that is why a minimum is not reached', async () => {
    const late = 'q,externalId\nrefund,parcels.md\n';
    const ran = await tested(late, '--min-recall', '1', '--min-mrr', '0.6');
    expect(ran).toMatchObject({ code: 11 });
    expect(ran.stdout).toMatch(/^2 +refund +parcels\.md \(rank 2\) +refunds\.md$/m);
    expect(await tested(late, '--min-recall', '1')).toMatchObject({ code: 0 });
  });

  test('--json prints one line with everything, also if it fails', async () => {
    const ran = await tested(bad, '--min-recall', '0.9', '--json');
    expect(ran.code).toBe(11);
    expect(jsonLines(ran)).toMatchObject([
      {
        passed: false,
        recallAt5: 0.5,
        mode: 'lexical',
        questions: [
          { line: 2, recallAt5: 1 },
          { line: 3 },
          { line: 4, q: 'elephants', found: [] },
          { line: 5 },
        ],
      },
    ]);
    expect(jsonLines(await tested(good, '--json'))).toMatchObject([{ passed: true }]);
  });

  test('more than fifty questions are sent in batches, and each counts once', async () => {
    const rows = Array.from({ length: 120 }, (_, at) =>
      at < 110 ? `card number ${at},refunds.md` : `elephant number ${at},parcels.md`,
    );
    const ran = await tested(`q,externalId\n${rows.join('\n')}`, '--json', '--verbose');
    const [report] = jsonLines(ran);
    expect(ran.stderr.match(/^POST \S+\/knowledge\/evaluate 200 /gm)).toHaveLength(3);
    expect(report?.questions).toHaveLength(120);
    expect(report?.recallAt5).toBeCloseTo(110 / 120, 10);
    expect(report?.questions).toMatchObject(rows.map((_, at) => ({ line: at + 2 })));
  });

  test('names the line of a question that the API refuses', async () => {
    const rows = Array.from({ length: 60 }, (_, at) => `question ${at},refunds.md`);
    rows[54] = `${'x'.repeat(501)},refunds.md`;
    expect(await tested(`q,externalId\n${rows.join('\n')}`)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('line 56: q must be at most 500 characters'),
    });
    const ran = await tested('q,documentId\nhow,kdoc_1\n');
    expect(ran).toMatchObject({ code: 2 });
    expect(ran.stderr).toContain('line 2: expect.0.documentId must be an id such as');
  });

  test('reads standard input', async () => {
    const input = '{"q":"card","expect":[{"externalId":"refunds.md"}]}\n';
    const args = ['knowledge', 'test', '-', '--source', 'handbook', '--min-recall', '1'];
    expect(await cli.run(args, { env: cli.project.env, input })).toMatchObject({ code: 0 });
  });

  test('needs an index, an environment that exists, and numbers', async () => {
    const other = await cli.newProject();
    const args = ['knowledge', 'test', file(good), '--source', 'handbook'];
    expect(await cli.run(args, { env: other.env })).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('platform reindex --wait'),
    });
    expect(await tested(good, '--environment', 'nowhere')).toMatchObject({ code: 4 });
    for (const share of ['2', '90', '0.9x', '-1', ''])
      expect(await tested(good, '--min-recall', share)).toMatchObject({ code: 2 });
    expect(await run('knowledge', 'test', join(cli.home, 'nothing.csv'))).toMatchObject({ code: 2 });
  });
});
