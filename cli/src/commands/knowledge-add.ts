/** The command `knowledge add`: files become documents, and URLs become sources. */

import type { Command } from 'commander';
import type { KnowledgeSourceCreateRequest } from '../../../clients/typescript/src/index.ts';
import { type Define, wholeNumber } from '../command.ts';
import { CliError, usageError } from '../errors.ts';
import { addFile, checkFile } from '../knowledge/add-file.ts';
import { refreshNote, waitForRefresh } from '../knowledge/refresh.ts';
import { counted } from '../output/text.ts';
import type { Session } from '../session.ts';
import { waitForJob } from './jobs.ts';

const types = ['url', 'site', 'sitemap', 'feed'] as const;

type AddOptions = {
  title?: string;
  externalId?: string;
  mimeType?: string;
  tag?: string[];
  wait: boolean;
  /** True means --reindex, which is for files. False means --no-reindex, which is for URLs. */
  reindex?: boolean;
  type?: (typeof types)[number];
  include?: string[];
  exclude?: string[];
  maxPages?: number;
  maxDepth?: number;
  refresh?: string;
};

/** The options that only files take, and the options that only URLs take. */
const onlyFiles = ['title', 'externalId', 'mimeType'] as const;
const onlyUrls = ['type', 'include', 'exclude', 'maxPages', 'maxDepth', 'refresh'] as const;

export function addAdd(parent: Command, define: Define): void {
  define<AddOptions>(parent, {
    name: 'add <file|url...>',
    summary: 'Adds files and websites',
    details:
      'A file becomes a document: PDF, DOCX, RTF, HTML, EML, MHTML, Markdown, text, CSV or TSV, up to 25 MB. The command waits until its text is ' +
      'extracted. The exit code is 8 if a file has no text. Each run adds a new document, unless you give an ' +
      '--external-id.\n\nA URL becomes a source. The pages of a source are documents, and `platform knowledge sources` ' +
      'manages sources. The command waits for the first refresh.',
    project: true,
    options: [
      ['--tag <tag>', 'a label of the documents; several times', { repeat: true }],
      ['--no-wait', 'does not wait for the text or the refresh'],
      ['--reindex', 'for files: then builds the index, and waits for it'],
      [
        '--no-reindex',
        'for URLs: a refresh does not build the index (default: it does, if something has changed)',
      ],
      ['--title <text>', 'for a file: a display name (default: its first heading, or its name)'],
      ['--external-id <id>', 'for a file: your own id. The document with this id is replaced'],
      [
        '--mime-type <type>',
        'for a file: its type, if its content does not show it, such as "text/csv; charset=windows-1251"',
      ],
      [
        '--type <type>',
        'for a URL: this page (url), this page and the pages that links lead to (site), or the pages of a sitemap or of a feed (default: url)',
        { choices: types },
      ],
      [
        '--include <pattern>',
        'for a URL: only pages whose addresses match, such as /docs/*; several times',
        { repeat: true },
      ],
      ['--exclude <pattern>', 'for a URL: no pages whose addresses match; several times', { repeat: true }],
      [
        '--max-pages <n>',
        'for a URL: the largest number of pages, from 1 to 5000 (default: 500)',
        { parse: wholeNumber('--max-pages', 1, 5000) },
      ],
      [
        '--max-depth <n>',
        'for a URL: how many links a page may be away, from 0 to 10 (default: 3)',
        { parse: wholeNumber('--max-depth', 0, 10) },
      ],
      [
        '--refresh <time>',
        'for a URL: how often it is refreshed, from 1h to 30d (default: manual, only by request)',
      ],
    ],
    examples: [
      'knowledge add terms.pdf prices.csv --tag shop --reindex',
      'knowledge add https://docs.acme.example/returns',
      "knowledge add https://docs.acme.example/ --type site --include '/guides/*' --refresh 24h",
    ],
    run: (session, options, ...values) => run(session, options, values),
  });
}

async function run(session: Session, options: AddOptions, values: readonly string[]): Promise<void> {
  const urls = values.filter(isUrl);
  const files = values.filter((value) => !isUrl(value));
  checkOptions(options, files.length, urls.length);
  const { title, externalId, mimeType, tag: tags, wait, reindex } = options;
  // If a file cannot be sent, nothing is sent.
  const sizes = await Promise.all(files.map(checkFile));
  let failed = 0;
  for (const [at, path] of files.entries()) {
    const file = { path, bytes: sizes[at] ?? 0, title, externalId, mimeType, tags };
    if (!(await addFile(session, file, wait))) failed += 1;
  }
  const { type = 'url', include, exclude, maxPages, maxDepth, refresh } = options;
  for (const url of urls)
    await addUrl(session, { type, url, include, exclude, maxPages, maxDepth, tags, refresh, reindex }, wait);
  if (files.length > failed && reindex) await waitForJob(session, await session.project.knowledge.reindex());
  if (failed > 0)
    throw new CliError(
      'incomplete',
      `${counted(failed, 'file has', 'files have')} no text. The documents are stored.`,
    );
}

/** @throws CliError if an option does not fit the files or the URLs */
function checkOptions(options: AddOptions, files: number, urls: number): void {
  const optionIn = (names: readonly (keyof AddOptions)[]) =>
    names.find((name) => options[name] !== undefined);
  const fileOption = optionIn(onlyFiles);
  const urlOption = optionIn(onlyUrls);
  const flag = (name: string) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  if (fileOption && (files !== 1 || urls > 0)) throw usageError(`${flag(fileOption)} is for one file.`);
  if (urlOption && files > 0) throw usageError(`${flag(urlOption)} is for URLs, and not for files.`);
  if (options.reindex === false && files > 0)
    throw usageError('--no-reindex is for URLs, and not for files.');
}

const isUrl = (text: string): boolean => /^https?:\/\//i.test(text);

/** Makes a source of a URL, and refreshes it at once. */
async function addUrl(
  session: Session,
  body: KnowledgeSourceCreateRequest,
  isWaiting: boolean,
): Promise<void> {
  const { out, project } = session;
  const { sources } = project.knowledge;
  // Two sources with the same pages would have each document twice.
  for await (const { id, url, type } of sources.list({ limit: 100 }))
    if (hrefOf(url) === hrefOf(body.url) && type === body.type)
      throw new CliError(
        'conflict',
        `The source ${id} has this URL already.`,
        `To refresh it: platform knowledge sources refresh ${id}`,
      );
  const source = await sources.create(body);
  if (!out.json) out.note(`Created the source ${source.id}.`);
  const job = await sources.refresh(source.id);
  if (isWaiting) return waitForRefresh(session, source, job.id);
  await out.item({ ...source, jobId: job.id });
  out.note(refreshNote(job.id));
}

const hrefOf = (url: string): string => (URL.canParse(url) ? new URL(url).href : url);
