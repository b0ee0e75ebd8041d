/** Files of the deployed stage: the links of uploads and exports, as the functions sign them for the bucket. */

import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { ContractApi, Json } from '../../samples/api.ts';
import { copiedContent } from '../support/copied-content.ts';
import type { Part } from '../support/exports.ts';

type Stage = { open(): Promise<ContractApi> };

const avatarId = 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';
const conversations = 40;
const timeout = 600_000;

/** @param stage the deployed stage `dev` */
export function rehearseBulk(stage: () => Stage): void {
  test(
    'a file is uploaded to the bucket and imported; its export can be downloaded, and imported elsewhere',
    async () => {
      const api = await stage().open();

      /** @returns the id of the job, which has succeeded, and the job */
      const done = async (project: string, path: string, body: Json) => {
        const { status, text, data } = await api.call('POST', `/projects/${project}/${path}`, { body });
        expect(status, text).toBe(202);
        await api.workOff(project, `${data.id}`);
        const shown = await api.call('GET', `/projects/${project}/jobs/${data.id}`);
        const job = shown.data;
        expect(job, shown.text).toMatchObject({ status: 'succeeded', progress: { failed: 0 } });
        return { id: `${data.id}`, job };
      };
      const importInto = async (project: string, file: Uint8Array<ArrayBuffer>) => {
        const upload = await api.call('POST', `/projects/${project}/uploads`, {
          body: { bytes: file.length },
        });
        expect(upload.status, upload.text).toBe(201);
        const put = await fetch(`${upload.data.url}`, { method: 'PUT', body: file });
        expect(put.status, await put.text()).toBe(200);
        return (await done(project, 'conversations/import-file', { uploadId: upload.data.id })).job.result;
      };
      const exported = async (project: string) => {
        const { id } = await done(project, 'exports', { what: 'conversations' });
        const { parts } = (await api.call('GET', `/projects/${project}/exports/${id}`)).data;
        const files = await Promise.all(
          (parts as Part[]).map(async ({ url }) => {
            const file = await fetch(`${url}`);
            expect(file.status).toBe(200);
            return Buffer.from(await file.arrayBuffer());
          }),
        );
        const file = Buffer.concat(files);
        const lines = gunzipSync(file).toString().trimEnd().split('\n');
        return { file, lines: lines.map((line) => JSON.parse(line) as Json) };
      };

      const begun = Array.from({ length: conversations }, (_, number) => ({
        externalId: `call-${number}`,
        avatarId,
        startedAt: new Date(Date.now() - (number + 1) * 60_000).toISOString(),
        messages: Array.from({ length: 20 }, (__, index) => ({
          role: index % 2 ? 'avatar' : 'user',
          text: `message ${index} of call ${number} ✓`,
          at: new Date(Date.now() - 30_000 + index).toISOString(),
        })),
      }));
      const text = begun.map((one) => `${JSON.stringify(one)}\n`).join('');
      const [source, target] = [await api.createProject(), await api.createProject()];
      const stored = { created: conversations, unchanged: 0, failed: 0, errors: [] };
      expect(await importInto(source, Buffer.from(text))).toEqual(stored);

      const original = await exported(source);
      expect(original.lines.map(({ externalId }) => externalId).sort()).toEqual(
        begun.map(({ externalId }) => externalId).sort(),
      );
      expect(await importInto(target, original.file)).toEqual(stored);
      expect(copiedContent((await exported(target)).lines)).toEqual(copiedContent(original.lines));

      // A file of another project is not there.
      const other = await api.call('POST', `/projects/${source}/uploads`, { body: { bytes: 3 } });
      const missing = await api.call('POST', `/projects/${target}/conversations/import-file`, {
        body: { uploadId: other.data.id },
      });
      expect(missing.status, missing.text).toBe(400);
    },
    timeout,
  );
}
