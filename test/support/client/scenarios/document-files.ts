/** Files of documents: sent once, read by the API, and unchanged files are not sent. */

import type {
  SyncDocument,
  SyncEvent,
  SyncFile,
  SyncOptions,
} from '../../../../clients/typescript/src/index.ts';
import { type Context, collect, equal, ok, rejection, type Scenarios } from '../scenario.ts';

const blob = (text: string) => new Blob([text]);
const prices: SyncFile = {
  externalId: 'prices.csv',
  title: 'prices',
  file: blob('product,price\nshoe,3'),
};
const broken: SyncDocument = { externalId: 'broken.pdf', title: 'broken', file: blob('%PDF-1.4 broken') };
const text: SyncDocument = { externalId: 'a.md', title: 'a', content: 'a' };
/** Nobody reads it. */
const large: SyncDocument = {
  externalId: 'large.pdf',
  title: 'large',
  file: {
    size: 25 * 1024 * 1024 + 1,
    stream: () => {
      throw new Error('it is read');
    },
  },
};

/** A client that counts its requests that change something, and those to storage. */
function counting({ client, origin, apiKey }: Context) {
  let sent: string[] = [];
  const platform = new client.Platform({
    apiKey,
    baseUrl: `${origin}/api/v1`,
    fetch: (url, init) => {
      const { method = 'GET' } = init;
      if (method !== 'GET') sent.push(url.includes('/files/') ? 'file' : method);
      return fetch(url, init);
    },
  });
  const take = () => {
    const taken = sent.sort();
    sent = [];
    return taken;
  };
  return { platform, take };
}

export const fileScenarios: Scenarios = {
  'sync uploads files, waits for their texts, and sends an unchanged file no second time': async (
    context,
  ) => {
    const { id } = await context.newProject();
    const { platform, take } = counting(context);
    const { knowledge } = platform.projects(id);
    const changed: string[] = [];
    const onProgress = ({ externalId, outcome, fields }: SyncEvent) =>
      void changed.push([externalId, outcome, ...fields].join(' '));
    const sync = async (documents: SyncDocument[], files: number) => {
      const [{ failed, ...counts }] = await Promise.all([
        knowledge.sync({ source: 's', documents, onProgress }),
        files > 0 && context.control('extract', { project: id, count: files }),
      ]);
      const { created, updated, unchanged } = counts;
      return [
        created,
        updated,
        unchanged,
        ...failed.map(({ externalId, error }) => `${externalId} ${error.message}`),
      ];
    };
    const stored = async () =>
      (await collect(knowledge.documents.list({ source: 's' }))).find(
        ({ externalId }) => externalId === 'prices.csv',
      );

    const first = await sync([{ ...prices, tags: ['shop'] }, text, broken, large], 2);
    equal(first.slice(0, 3), [2, 0, 0]);
    const failures = first.slice(3).sort();
    equal(failures.length, 2);
    ok(/^broken\.pdf .*\(unreadable_file\)$/.test(`${failures[0]}`), `${failures[0]}`);
    equal(failures[1], 'large.pdf The file has 25.0 MB, and a file has at most 25 MB. (file_too_large)');
    equal(take(), ['POST', 'POST', 'PUT', 'PUT', 'PUT', 'file', 'file']);
    equal([(await stored())?.extraction, (await stored())?.tags], ['done', ['shop']]);

    equal(await sync([prices, text, { ...broken, title: 'new' }], 0), [0, 0, 2, failures[0]]);
    equal(take(), []);
    equal(await sync([{ ...prices, title: 'new' }, text], 0), [0, 1, 1]);
    equal(take(), ['PATCH']);
    changed.length = 0;
    equal(await sync([{ ...prices, title: 'new', file: blob('product,price\nshoe,4') }], 1), [0, 1, 0]);
    equal(changed, ['prices.csv updated content']);
    equal(take(), ['POST', 'PUT', 'file']);
    const now = await stored();
    equal([now?.title, now?.tags], ['new', ['shop']]);
    equal((await knowledge.documents.content(now?.id ?? '')).content, 'product,price\nshoe,4');
  },

  'sync says what the API has not read, and with reread sends files that earlier readers have read, once':
    async (context) => {
      const { id } = await context.newProject();
      const { platform, take } = counting(context);
      const { knowledge } = platform.projects(id);
      const sync = async (options: Partial<SyncOptions>, files = 0) => {
        const [{ updated, unchanged, notes }] = await Promise.all([
          knowledge.sync({ source: 's', documents: [prices, text], ...options }),
          files > 0 && context.control('extract', { project: id, count: files }),
        ]);
        return [updated, unchanged, notes];
      };
      equal(await sync({}, 1), [0, 0, []]);
      take();
      const notes = [{ code: 'pages_without_text', count: 2, pages: [3, 7] }];
      await context.control('readBefore', { project: id, notes });
      const noted = [{ externalId: 'prices.csv', title: 'prices', notes }];
      equal(await sync({}), [0, 2, noted]);
      equal(await sync({ dryRun: true, reread: true }), [1, 1, []]);
      equal(take(), []);
      equal(await sync({ reread: true }, 1), [1, 1, []]);
      equal(take(), ['POST', 'PUT', 'file']);
      equal(await sync({ reread: true }), [0, 2, []]);
      equal(take(), []);
      // Another type of the same file is another file.
      const typed = { ...prices, mimeType: 'text/csv; charset=utf-8' };
      equal(await sync({ documents: [typed, text] }, 1), [1, 1, []]);
      equal(await sync({ documents: [typed, text] }), [0, 2, []]);
      take();
      // The type that is left out stays.
      equal(await sync({ documents: [{ ...prices, title: 'new' }, text] }), [1, 1, []]);
      equal(take(), ['PATCH']);
      equal(await sync({ documents: [{ ...prices, file: blob('a,b\n1,2') }, text] }, 1), [1, 1, []]);
      const [stored] = await collect(knowledge.documents.list({ externalId: 'prices.csv' }));
      equal(stored?.fileMimeType, 'text/csv; charset=utf-8');
      // Nobody needs the notes of an ignored document.
      await context.control('readBefore', { project: id, notes });
      await knowledge.documents.update(stored?.id ?? '', { ignored: true });
      equal((await sync({ documents: [{ ...prices, file: blob('a,b\n1,2') }, text] }))[2], []);
    },

  'sync reports no failure of an ignored document': async ({ newProject, control }) => {
    const { id, project } = await newProject();
    const { knowledge } = project;
    const sync = async (documents: SyncDocument[], files: number) => {
      const [{ updated, unchanged, failed }] = await Promise.all([
        knowledge.sync({ source: 's', documents }),
        files > 0 && control('extract', { project: id, count: files }),
      ]);
      return [updated, unchanged, failed.length];
    };
    equal(await sync([broken, text], 1), [0, 0, 1]);
    for await (const document of knowledge.documents.list({ externalId: 'broken.pdf' }))
      await knowledge.documents.update(document.id, { ignored: true });
    equal(await sync([broken, text], 0), [0, 2, 0]);
    equal(await sync([{ ...broken, file: blob('%PDF-1.4 still broken') }, text], 1), [1, 1, 0]);
    // Too large to be sent.
    equal(await sync([{ ...large, externalId: 'broken.pdf' }, text], 0), [0, 2, 0]);
    const ignored = await collect(knowledge.documents.list({ source: 's', ignored: true }));
    equal(
      ignored.map(({ externalId, status }) => [externalId, status]),
      [['broken.pdf', 'failed']],
    );
  },

  'uploadFile and waitForText send a file, and sync waits for a file that an ended run has sent': async ({
    newProject,
    control,
    client,
  }) => {
    const { id, project } = await newProject();
    const { knowledge } = project;
    ok(prices.file && large.file, 'files');
    const uploadId = await knowledge.uploadFile(prices.file);
    const sent = await knowledge.documents.put('prices.csv', { title: 'prices', source: 's', uploadId });
    equal(sent.document.extraction, 'pending');
    const late = await rejection(knowledge.waitForText(sent.document, { deadlineMs: 300 }));
    ok(late instanceof client.TimeoutError && /was not read within 300 ms/.test(late.message), late.message);
    const seen: unknown[] = [];
    const [{ unchanged }, read] = await Promise.all([
      knowledge.sync({ source: 's', documents: [prices] }),
      knowledge.waitForText(sent.document, { onProgress: ({ extraction }) => void seen.push(extraction) }),
      control('extract', { project: id, count: 1 }),
    ]);
    equal([unchanged, read.extraction, read.bytes, seen[0], seen.at(-1)], [1, 'done', 20, 'pending', 'done']);
    const error = await rejection(knowledge.uploadFile(large.file));
    ok(error instanceof client.DocumentFileError, error.message);
    equal(error.code, 'file_too_large');
  },

  'sync ends all that it has begun before it reports an error of the whole work': async (context) => {
    const { id } = await context.newProject();
    const { platform, take } = counting(context);
    const { knowledge } = platform.projects(id);
    ok(prices.file, 'a file');
    const uploadId = await knowledge.uploadFile(prices.file);
    await knowledge.documents.put('prices.csv', { title: 'prices', source: 's', uploadId });
    await platform.projects.update(id, { status: 'archived' });
    take();
    let isClosed = false;
    let note = () => {};
    const isRead = new Promise<void>((done) => {
      note = done;
    });
    /** It never comes. */
    const file = {
      size: 1,
      stream: () =>
        new ReadableStream<Uint8Array<ArrayBuffer>>({
          pull() {
            note();
            return new Promise<void>(() => {});
          },
          cancel() {
            isClosed = true;
          },
        }),
    };
    async function* documents() {
      // Nobody extracts its text, so this waits.
      yield prices;
      yield { externalId: 'silent.pdf', title: 'silent', file };
      await isRead;
      yield text;
    }
    const error = await rejection(knowledge.sync({ source: 's', documents: documents() }));
    ok(error instanceof context.client.ProjectArchivedError, error.message);
    ok(isClosed, 'the file is closed');
    equal(take(), ['PUT']);
  },
};
