/** Exports: every line once, whatever happens to links, files and connections. */

import type { ExportedDocument, ExportPart, Fetch } from '../../../../clients/typescript/src/index.ts';
import { type Context, collect, equal, ok, rejection, type Scenarios } from '../scenario.ts';

/** More than the time of a link. */
const quarterMs = 16 * 60_000;

/** Texts of several parts: hardly to be compressed, with characters of several bytes. */
const contents = Array.from({ length: 8 }, (_, number) =>
  Array.from({ length: 60 }, (_, at) => `${number}ü🙂${Math.sin(number * 100 + at)}`).join(' '),
);

/** A project with documents, and an export of them that has ended. */
async function exported({ newProject, control }: Context) {
  const { id, project } = await newProject();
  const documents = [];
  for (const content of contents)
    documents.push(await project.knowledge.documents.create({ title: 'a', content }));
  const job = await project.exports.create({ what: 'documents' });
  await control('export', { project: id, job: job.id });
  return { id, project, documents, job };
}

/** Newest first. */
const expected = contents.toReversed();
const contentsOf = (lines: readonly ExportedDocument[]) => lines.map(({ content }) => content);

/** A client that counts what it sends, and may send something else. */
function watching(
  { client, origin, apiKey }: Context,
  change: (url: string, init: RequestInit) => void = () => {},
  answered: (url: string) => void = () => {},
) {
  const files: RequestInit[] = [];
  const fetch: Fetch = async (url, init) => {
    if (url.includes('/files/')) files.push(init);
    change(url, init);
    const response = await globalThis.fetch(url, init);
    answered(url);
    return response;
  };
  const options = { apiKey, baseUrl: `${origin}/api/v1`, fetch, timeoutMs: 1500, maxRetries: 100 };
  return { platform: new client.Platform(options), files };
}

export const exportScenarios: Scenarios = {
  'exports.lines starts an export, waits for it, and yields its lines': async (context) => {
    const { newProject, control } = context;
    const { id, project } = await newProject();
    const waits: string[] = [];
    const lines = project.exports.lines(
      { what: 'conversations' },
      {
        idempotencyKey: 'tonight',
        timeoutMs: 1000,
        onProgress: ({ status }) => void waits.push(status),
      },
    );
    const { id: conversation } = await project.conversations.create({
      avatarId: 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E',
    });
    await project.conversations.append(conversation, { messages: [{ role: 'user', text: 'hello' }] });
    const collected = collect(lines);
    const { id: job } = await project.exports.create(
      { what: 'conversations' },
      { idempotencyKey: 'tonight' },
    );
    await control('export', { project: id, job });
    equal(
      (await collected).map((line) => [line.id, line.messages.map(({ text }) => text)]),
      [[conversation, ['hello']]],
    );
    equal(waits.at(-1), 'succeeded');
  },

  'exports.lines yields the lines of all parts in order, without the key in any request for a file': async (
    context,
  ) => {
    const { id, job } = await exported(context);
    const { platform, files } = watching(context);
    const { exports } = platform.projects(id);
    equal(contentsOf(await collect(exports.lines<ExportedDocument>(job))), expected);
    ok(files.length > 2, 'several files');
    const sent = JSON.stringify(files.map(({ headers }) => [...new Headers(headers)]));
    ok(!sent.includes(context.apiKey.slice(8)) && !/authorization/i.test(sent), sent);
    equal(contentsOf(await collect(exports.lines<ExportedDocument>(job.id))), expected);
  },

  'exports.lines yields each line once with faults': async (context) => {
    const { project, job } = await exported(context);
    const kinds = ['cut body', 'stalled body', 'reset before'];
    const before = await context.control('counts');
    // The job and the export, and then the files.
    await context.control('faults', { next: ['pass', 'pass', ...kinds], rate: 0.4, seed: 3 });
    equal(contentsOf(await collect(project.exports.lines<ExportedDocument>(job))), expected);
    await context.control('faults');
    const counts = await context.control('counts');
    for (const kind of kinds) ok(Number(counts[kind]) > Number(before[kind] ?? 0), kind);
  },

  'a download continues in the middle of a file, also of a server that knows ranges': async (context) => {
    const { id, job } = await exported(context);
    const { platform, files } = watching(context);
    for (const knowsRanges of [false, true]) {
      files.length = 0;
      const ranges: string[] = [];
      const fetch: Fetch = async (url, init) => {
        const response = await globalThis.fetch(url, init);
        const range = new Headers(init.headers).get('range');
        if (!url.includes('/files/') || !response.ok) return response;
        const all = new Uint8Array(await response.arrayBuffer());
        if (range === null) return new Response(all.slice(0, all.length >> 1));
        ranges.push(range);
        const from = Number(/^bytes=(\d+)-$/.exec(range)?.[1]);
        return knowsRanges ? new Response(all.slice(from), { status: 206 }) : new Response(all);
      };
      const { baseUrl } = platform;
      const cutting = new context.client.Platform({ apiKey: context.apiKey, baseUrl, fetch });
      const lines = cutting.projects(id).exports.lines<ExportedDocument>(job);
      equal(contentsOf(await collect(lines)), expected);
      ok(ranges.length > 2, 'each file is continued');
    }
  },

  'an expired link is renewed, once for all parts': async (context) => {
    const { id, job } = await exported(context);
    let gets = 0;
    // On a busy machine, a request can time out and is sent again.
    const { platform, files } = watching(context, undefined, (url) => {
      if (/\/exports\/job_\w+$/.test(url)) gets += 1;
    });
    const lines: ExportedDocument[] = [];
    for await (const line of platform.projects(id).exports.lines<ExportedDocument>(job)) {
      if (lines.push(line) === 1) await context.control('advance', { ms: quarterMs });
    }
    equal(contentsOf(lines), expected);
    equal(gets, 2);
    ok(files.length > 3, `${files.length} requests for files`);
  },

  'a link that is refused although it is new is an error, without the link': async (context) => {
    const { id, job } = await exported(context);
    const { baseUrl } = context.platform;
    const links: string[] = [];
    const fetch: Fetch = async (url, init) => {
      if (!url.includes('/files/')) return globalThis.fetch(url, init);
      links.push(url);
      return new Response(`no: ${url}`, { status: 403 });
    };
    const platform = new context.client.Platform({ apiKey: context.apiKey, baseUrl, fetch });
    const error = await rejection(collect(platform.projects(id).exports.lines(job)));
    ok(error instanceof context.client.ConnectionError && /status 403/.test(error.message), error.message);
    equal(links.length, 2);
    ok(!JSON.stringify([error.message, error.stack]).includes('until='), error.message);
  },

  'a part that was removed is an error, or reported': async (context) => {
    const { client, control } = context;
    const { project, documents, job } = await exported(context);
    // Of the last part: the others are read before.
    await project.knowledge.documents.delete(documents[0]?.id ?? '', {}, { timeoutMs: 30_000 });
    await control('removeFiles');
    const lines: ExportedDocument[] = [];
    const error = await rejection(async () => {
      for await (const line of project.exports.lines<ExportedDocument>(job)) lines.push(line);
    });
    ok(error instanceof client.ExportPartMissingError, error.message);
    equal([error.part.status, error.part.removedBecause], ['removed', 'document_deleted']);
    ok(lines.length > 3 && lines.length < 8, `${lines.length} lines`);
    const missing: ExportPart[] = [];
    const onMissing = (part: ExportPart) => void missing.push(part);
    const rest = await collect(project.exports.lines<ExportedDocument>(job, { onMissing }));
    equal([rest.length, missing.map(({ number }) => number)], [lines.length, [error.part.number]]);
    const states: string[] = [];
    for await (const { part } of project.exports.files(job)) states.push(part.status);
    equal(states.at(-1), 'removed');
    equal(new Set(states).size, 2);
  },

  'a part that is removed while it is read is reported too': async (context) => {
    const { control } = context;
    const { id, project, documents, job } = await exported(context);
    let isRemoved = false;
    const { baseUrl } = context.platform;
    // Its first file ends in the middle, and is gone then.
    const fetch: Fetch = async (url, init) => {
      const response = await globalThis.fetch(url, init);
      if (!url.includes('/files/') || isRemoved) return response;
      isRemoved = true;
      await project.knowledge.documents.delete(documents.at(-1)?.id ?? '', {}, { timeoutMs: 30_000 });
      await control('removeFiles');
      const all = new Uint8Array(await response.arrayBuffer());
      return new Response(all.slice(0, all.length - 20));
    };
    const platform = new context.client.Platform({ apiKey: context.apiKey, baseUrl, fetch });
    const missing: ExportPart[] = [];
    const onMissing = (part: ExportPart) => void missing.push(part);
    const lines = await collect(platform.projects(id).exports.lines<ExportedDocument>(job, { onMissing }));
    equal(
      missing.map(({ number, status }) => [number, status]),
      [[1, 'removed']],
    );
    ok(lines.length >= 5 && lines.length < 8, `${lines.length} lines`);
  },

  'the files of an export are a gzip file together': async (context) => {
    const { project, job } = await exported(context);
    let bytes = 0;
    const lines: string[] = [];
    for await (const file of project.exports.files(job)) {
      for await (const chunk of file.bytes()) bytes += chunk.length;
      for await (const line of file.text()) lines.push((JSON.parse(line) as ExportedDocument).content);
    }
    equal(lines, expected);
    equal(bytes, (await project.exports.get(job.id)).counts.bytes);
  },

  'exports.lines ends with break, with a signal, and with the failure of the job': async (context) => {
    const { client, control } = context;
    const { project, job } = await exported(context);
    for await (const line of project.exports.lines<ExportedDocument>(job)) {
      equal(line.content, expected[0]);
      break;
    }
    // A file that stalls does not keep the loop from ending.
    const controller = new AbortController();
    const aborted = rejection(async () => {
      const options = { signal: controller.signal, timeoutMs: 60_000 };
      for await (const _ of project.exports.lines(job, options)) {
        await control('faults', { next: ['stalled body'] });
        setTimeout(() => controller.abort(), 200);
      }
    });
    equal((await aborted).name, 'AbortError');
    await control('faults');
    const cancelled = await project.exports.create({ what: 'documents' });
    await project.jobs.cancel(cancelled.id);
    const error = await rejection(collect(project.exports.lines(cancelled)));
    ok(error instanceof client.JobFailedError, error.message);
  },
};
