/** The commands of knowledge: synchronise a folder, add files and websites, search, test the search. */

import type { Command } from 'commander';
import type { SearchHit } from '../../../clients/typescript/src/index.ts';
import { documentExtensions } from '../../../clients/typescript/src/node.ts';
import { checkId, type Define, wholeNumber } from '../command.ts';
import { describe, Interrupted, usageError } from '../errors.ts';
import { questionsFrom } from '../evaluate/questions.ts';
import { testKnowledge, wordsOnly } from '../evaluate/test-knowledge.ts';
import { readStdin, readTextFile } from '../input.ts';
import { matchesIn } from '../output/matches.ts';
import { highlightMatches, type Paint, safeLine, safeText } from '../output/text.ts';
import { printReport, type SyncSettings, syncFolder } from '../sync/sync-folder.ts';
import { runOnChanges } from '../sync/watch.ts';
import { checkName } from './deployments.ts';
import { addReindex, waitForJob } from './jobs.ts';
import { addAdd } from './knowledge-add.ts';
import { addIgnore } from './knowledge-ignore.ts';
import { addSources } from './sources.ts';

type SyncOptions = {
  source: string;
  prune?: boolean;
  reread?: boolean;
  dryRun?: boolean;
  watch?: boolean;
  yes?: boolean;
  reindex?: boolean;
  exitCode?: boolean;
  tag?: string[];
  tags?: false;
  ext?: string[];
  exclude?: string[];
  concurrency: number;
};

type Mode = 'hybrid' | 'lexical';
const modes: readonly Mode[] = ['hybrid', 'lexical'];
type TagMode = 'all' | 'any';
const tagModes: readonly TagMode[] = ['all', 'any'];
const modeText = 'hybrid compares words and meanings, lexical only words (default: hybrid)';

type SearchOptions = {
  tag?: string[];
  tagMode?: TagMode;
  documentId?: string[];
  metadata?: string[];
  environment?: string;
  unit?: string;
  deployment?: string;
  mode?: Mode;
  limit: number;
  perDocument?: number;
  context?: number;
  fields?: 'text' | 'snippet';
};

type TestOptions = {
  source?: string;
  environment?: string;
  deployment?: string;
  mode?: Mode;
  minRecall?: number;
  minNdcg?: number;
  minMrr?: number;
  minAnswerIn5?: number;
  minAnswerIn10?: number;
};

/** @returns the parser of an option that is a share */
const share =
  (name: string) =>
  (text: string): number => {
    if (/^(0(\.\d+)?|1(\.0+)?)$/.test(text)) return Number(text);
    throw usageError(`${name} must be a number from 0 to 1, such as 0.9.`);
  };

/** @returns why a piece of a document matches */
function reasonOf({ score, scores: { lexical, semantic }, matchedWords }: SearchHit): string {
  const words = lexical === null ? 'matches by meaning' : `matches ${matchedWords.join(', ')}`;
  const parts = [
    ...(lexical === null ? [] : [`words ${lexical}`]),
    ...(semantic === null ? [] : [`meaning ${semantic}`]),
  ];
  return `${words} · score ${score} (${parts.join(', ')})`;
}

/** @returns the passage of a hit, or its snippet if it has no text, with the matches highlighted */
const passageOf = ({ text, snippet, matches, matchedWords }: SearchHit, paint: Paint): string =>
  text === undefined
    ? highlightMatches(snippet, matches, paint)
    : highlightMatches(text, matchesIn(text, matchedWords), paint, safeText).replaceAll('\n', '\n  ');

export function addKnowledge(program: Command, define: Define): void {
  const parent = program
    .command('knowledge')
    .summary('Synchronise a folder, add files and websites, search, test the search')
    .description('The knowledge of a project.');

  define<SyncOptions>(parent, {
    name: 'sync <folder>',
    summary: 'Makes the documents of a source equal to the files of a folder',
    details:
      'The command compares hashes, and sends only changed documents. Run it as often as you like. After Ctrl+C, it ' +
      'continues at the same place. The path of a file below the folder is its externalId. Hidden files, node_modules, links ' +
      'that leave the folder, and other types are left out. PDF, DOCX, RTF, XHTML, mails, CSV, TSV and large files are ' +
      'uploaded, and the service ' +
      'extracts their texts, and says what it could not read. Other sources are not changed.\n\n--prune deletes ' +
      'documents without a file. It deletes nothing if a file cannot be read, and asks first if it would delete ' +
      'more than half of the source; scripts agree with --yes.',
    project: true,
    options: [
      ['--source <name>', 'the name of this folder in the project'],
      ['--prune', 'deletes the documents whose files are gone'],
      ['--reread', 'also sends unchanged files that an earlier version of the service has read'],
      ['--dry-run', 'shows what would change'],
      ['--watch', 'runs again whenever files change, until Ctrl+C'],
      ['--reindex', 'then builds the index, and waits for it'],
      ['--tag <tag>', 'a label for all documents, in place of their labels; several times', { repeat: true }],
      ['--no-tags', 'removes the labels of all documents (default: they stay as they are)'],
      [
        '--ext <end>',
        `only files with this ending; several times (default: ${documentExtensions.join(' ')})`,
        { repeat: true },
      ],
      ['--exclude <path>', 'a file or folder to leave out; several times', { repeat: true }],
      [
        '--concurrency <n>',
        'documents at the same time',
        { default: 8, parse: wholeNumber('--concurrency', 1, 32) },
      ],
      ['--exit-code', 'exits with 10 if nothing has changed'],
      ['--yes', 'without a question'],
    ],
    examples: [
      'knowledge sync handbook --source handbook --prune',
      'knowledge sync handbook --source handbook --prune --dry-run',
      'knowledge sync handbook --source handbook --reread --dry-run',
      'knowledge sync handbook --source handbook --watch --reindex',
    ],
    async run(session, options, folder) {
      const { source, watch, reindex, exitCode, dryRun = false } = options;
      if (!source) throw usageError('Which source? Add --source NAME: each folder has its own.');
      if (watch && (dryRun || exitCode))
        throw usageError('--watch cannot be combined with --dry-run or --exit-code.');
      if (options.tag && options.tags === false) throw usageError('--tag and --no-tags cannot be combined.');
      const settings: SyncSettings = {
        folder,
        source,
        tags: options.tags === false ? [] : options.tag,
        extensions: options.ext ?? documentExtensions,
        excluded: options.exclude ?? [],
        prune: options.prune ?? false,
        reread: options.reread ?? false,
        dryRun,
        yes: options.yes ?? false,
        concurrency: options.concurrency,
      };
      let isFirst = true;
      const once = async () => {
        const report = await syncFolder(session, settings);
        const hasNews = isFirst || report.changes.length > 0;
        isFirst = false;
        const index = async () => {
          if (reindex && !dryRun && hasNews)
            await waitForJob(session, await session.project.knowledge.reindex());
        };
        // The documents that were sent are indexed, even if others were not sent.
        await printReport(session, report, exitCode ?? false).finally(index);
      };
      if (!watch) return once();
      session.out.note(`Watching ${folder}. Stop with Ctrl+C.`);
      await runOnChanges(folder, session.signal, async () => {
        await once().catch((error) => {
          if (error instanceof Interrupted) return;
          session.out.warn(`${describe(error).message} The next change tries again.`);
        });
      });
      session.signal.throwIfAborted();
    },
  });

  addAdd(parent, define);
  addIgnore(parent, define);
  addSources(parent, define);

  define<SearchOptions>(parent, {
    name: 'search <query>',
    summary: 'Searches the documents',
    details:
      'The search compares words and meanings. The best matches come first, each with its passage. With --environment, it uses the ' +
      'index that the environment serves, and with --deployment the index of a deployment. The scores of words and of meaning are comparable only within one search.',
    project: true,
    options: [
      ['--tag <tag>', 'only documents with this tag; several times', { repeat: true }],
      [
        '--tag-mode <mode>',
        'documents with all tags, or with any of them (default: all)',
        { choices: tagModes },
      ],
      ['--document-id <id>', 'only this document; up to ten times', { repeat: true }],
      [
        '--metadata <filter>',
        'only documents with this metadata: country:DE, a field of searchFields; up to three times',
        { repeat: true },
      ],
      ['--environment <name>', 'the index that this environment serves'],
      ['--unit <text>', 'with --environment, the index that this user gets while a rollout runs'],
      ['--deployment <id>', 'the index of this deployment'],
      ['--mode <mode>', modeText, { choices: modes }],
      ['--limit <n>', 'at most this many', { default: 10, parse: wholeNumber('--limit', 1, 50) }],
      [
        '--per-document <n>',
        'at most this many of one document (default: 3)',
        { parse: wholeNumber('--per-document', 1, 50) },
      ],
      [
        '--context <n>',
        'also so many pieces of the document before and behind each one (default: 0)',
        { parse: wholeNumber('--context', 0, 3) },
      ],
      [
        '--fields <fields>',
        'snippet shows about 240 characters of each piece',
        { choices: ['text', 'snippet'] },
      ],
    ],
    examples: [
      'knowledge search "how are refunds paid"',
      'knowledge search refunds --environment production --json',
      'knowledge search "money back" --mode lexical --context 1',
      'knowledge search returns --tag shop --tag prices --tag-mode any',
    ],
    async run({ project, out }, options, query) {
      const {
        tag,
        tagMode,
        documentId,
        metadata,
        environment,
        unit,
        deployment,
        mode,
        limit,
        perDocument,
        context,
        fields,
      } = options;
      if (environment !== undefined) checkName(environment);
      const results = await project.knowledge.search({
        q: query,
        tag,
        tagMode,
        documentId,
        metadata,
        environment,
        unit,
        deploymentId: deployment === undefined ? undefined : checkId(deployment),
        mode,
        limit,
        perDocument,
        context,
        fields,
      });
      if (out.json) {
        for (const item of results.items) await out.jsonLine({ ...item, mode: results.mode });
        return;
      }
      if (results.items.length === 0) out.note('Nothing was found.');
      for (const hit of results.items) {
        const { title, heading, documentId } = hit;
        const place = [title, heading].filter(Boolean).map(safeLine).join(' › ');
        await out.line(`${out.paint('bold', place)}  ${out.paint('dim', safeLine(documentId))}`);
        await out.line(`  ${passageOf(hit, out.paint)}`);
        await out.line(`  ${out.paint('dim', safeLine(reasonOf(hit)))}\n`);
      }
      if (mode !== 'lexical' && results.mode === 'lexical') out.note(wordsOnly);
    },
  });

  define<TestOptions>(parent, {
    name: 'test <file>',
    summary: 'Measures the search with questions whose answers are known',
    details:
      'The file is CSV with a first line such as q,externalId,source,documentId,grade,contains, or JSON lines such as ' +
      '{"q":"…","expect":[{"externalId":"…","contains":"…"}]}; - is standard input. Repeat a question in CSV, or leave it ' +
      'empty, for several documents. contains is the passage that answers the question: letter case and white space do not ' +
      'count.\n\nA question passes if all of its documents are among the first five, and a passage is in the text of the ' +
      'first five pieces. The exit code is 11 if a measure is below its minimum.',
    project: true,
    options: [
      ['--source <name>', 'the source of documents that the file names without one'],
      ['--environment <name>', 'the index that this environment serves'],
      ['--deployment <id>', 'the index of this deployment'],
      ['--mode <mode>', modeText, { choices: modes }],
      [
        '--min-recall <share>',
        'the least share of documents among the first five',
        { parse: share('--min-recall') },
      ],
      ['--min-ndcg <share>', 'the least nDCG of the first ten documents', { parse: share('--min-ndcg') }],
      ['--min-mrr <share>', 'the least mean of 1 / rank', { parse: share('--min-mrr') }],
      [
        '--min-answer-in-5 <share>',
        'the least share of questions whose passage is in the first five pieces',
        { parse: share('--min-answer-in-5') },
      ],
      ['--min-answer-in-10 <share>', 'the same for ten pieces', { parse: share('--min-answer-in-10') }],
    ],
    examples: [
      'knowledge test questions.csv --source handbook --min-recall 0.9',
      'knowledge test questions.csv --source handbook --min-answer-in-5 0.85',
      'knowledge test questions.jsonl --environment production --json',
    ],
    async run(session, options, file) {
      const {
        environment,
        deployment,
        mode,
        source,
        minRecall,
        minNdcg,
        minMrr,
        minAnswerIn5,
        minAnswerIn10,
      } = options;
      if (environment !== undefined) checkName(environment);
      const text = file === '-' ? await readStdin(session.shell) : await readTextFile(file);
      const minimums = {
        recallAt5: minRecall,
        ndcgAt10: minNdcg,
        mrr: minMrr,
        answerIn5: minAnswerIn5,
        answerIn10: minAnswerIn10,
      };
      await testKnowledge(session, questionsFrom(text, source), {
        environment,
        deploymentId: deployment === undefined ? undefined : checkId(deployment),
        mode,
        minimums,
      });
    },
  });
  addReindex(parent, define, 'knowledge ');
}
