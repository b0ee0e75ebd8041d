import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderRelease, openDownloads } from '../../../lib/downloads/downloads.ts';
import { maxReleases } from '../../../lib/downloads/releases.ts';
import { memoryDownloads, releaseOf } from '../../../samples/downloads.ts';
import { orKept } from '../../../scripts/local/downloads.ts';

const versionAt = (number: number) => `0.1.${number}-g${String(number).padStart(7, '0')}`;

const versionsIn = async (downloads: ReturnType<typeof openDownloads>) =>
  (await downloads.list()).releases.map(({ version }) => version);

const filesIn = ({ stored }: ReturnType<typeof memoryDownloads>) =>
  [...stored.keys()].filter((name) => name !== 'releases.json');

describe('a deployment', () => {
  test('keeps the files of its last releases, and no others', async () => {
    const store = memoryDownloads();
    for (let number = 0; number <= maxReleases; number += 1) {
      await openDownloads(releaseOf(versionAt(number)), store).list();
    }
    const latest = openDownloads(releaseOf(versionAt(maxReleases)), store);
    expect(await versionsIn(latest)).toEqual(
      Array.from({ length: maxReleases }, (_, index) => versionAt(maxReleases - index)),
    );
    expect(filesIn(store)).toHaveLength(3 * maxReleases);
    const [gone] = releaseOf(versionAt(0)).files;
    const [kept] = releaseOf(versionAt(1)).files;
    expect(await latest.read(gone?.file ?? '')).toBeUndefined();
    expect(await latest.read(kept?.file ?? '')).toBeDefined();
  });

  test('that is rolled back offers the earlier files as the current ones, and keeps the later ones', async () => {
    const store = memoryDownloads();
    const earlier = releaseOf(versionAt(1));
    await openDownloads(earlier, store).list();
    await openDownloads(releaseOf(versionAt(2)), store).list();
    expect(await versionsIn(openDownloads(earlier, store))).toEqual([versionAt(1), versionAt(2)]);
    expect(filesIn(store)).toHaveLength(6);
  });

  test('stores a file before anybody sees it', async () => {
    const store = memoryDownloads();
    const release = releaseOf(versionAt(1));
    const [first] = release.files;
    expect(await openDownloads(release, store).read(first?.file ?? '')).toBeDefined();
    expect(filesIn(store)).toEqual(release.files.map(({ file }) => file));
  });

  test('of which two versions run at once keeps the files of both', async () => {
    const store = memoryDownloads();
    const both = [1, 2].map((number) => openDownloads(releaseOf(versionAt(number)), store));
    await Promise.all(both.flatMap((downloads) => [downloads.list(), downloads.list()]));
    expect(filesIn(store)).toHaveLength(6);
    for (const downloads of both) expect(await versionsIn(downloads)).toHaveLength(2);
  });

  test.each([1, 2, 3, 4])('that ends at write %i is complete after the next request', async (last) => {
    const store = memoryDownloads();
    let writes = 0;
    const ending = {
      ...store,
      write: (...given: Parameters<typeof store.write>) => {
        writes += 1;
        return writes >= last ? Promise.reject(new Error('killed')) : store.write(...given);
      },
    };
    const release = releaseOf(versionAt(1));
    await expect(openDownloads(release, ending).list()).rejects.toMatchObject({
      code: 'service_unavailable',
      cause: new Error('killed'),
    });
    const listed = await openDownloads(release, store).list();
    for (const { files } of listed.releases) {
      for (const { file } of files) expect(store.stored.has(file)).toBe(true);
    }
    expect(filesIn(store)).toHaveLength(3);
  });

  test('tries again after a failure, in the same process', async () => {
    const store = memoryDownloads();
    let failures = 1;
    const failing = {
      ...store,
      read: (name: string) =>
        failures-- > 0 ? Promise.reject(new Error('S3 did not answer')) : store.read(name),
    };
    const downloads = openDownloads(releaseOf(versionAt(1)), failing);
    await expect(downloads.list()).rejects.toMatchObject({ cause: new Error('S3 did not answer') });
    expect(await versionsIn(downloads)).toEqual([versionAt(1)]);
  });

  test('of this machine serves its files also after a later build has removed them', async () => {
    const store = memoryDownloads();
    const folder = mkdtempSync(join(tmpdir(), 'platform-release-'));
    const release = releaseOf(versionAt(1));
    const [first] = release.files;
    const name = first?.file ?? '';
    for (const { file } of release.files) writeFileSync(join(folder, file), await release.read(file));
    const inFolder = { ...release, read: folderRelease(folder).read };
    const downloads = openDownloads(orKept(inFolder, store), store);
    const before = await downloads.read(name);
    rmSync(folder, { recursive: true });
    expect(await downloads.read(name)).toEqual(before);
    store.stored.delete(name);
    await expect(downloads.read(name)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('gives up if others change the list each time', async () => {
    const store = memoryDownloads();
    const losing = {
      ...store,
      write: async (...given: Parameters<typeof store.write>) =>
        given[0] === 'releases.json' ? false : store.write(...given),
    };
    await expect(openDownloads(releaseOf(versionAt(1)), losing).list()).rejects.toMatchObject({
      code: 'service_unavailable',
    });
  });
});
