/** The pages of avatars in a browser. */

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, inBrowser } from '../support/browser.ts';
import { type ConsoleServer, findingsEverywhere, openConsole } from '../support/console.ts';

describe.skipIf(!hasBrowser)(inBrowser('the pages of avatars'), { tags: ['long'] }, () => {
  let server: ConsoleServer;
  beforeAll(async () => {
    server = await openConsole();
  });
  afterAll(() => server?.stop());

  const newProject = async () => {
    const { id } = await server.platform.projects.create({ name: 'Support' });
    return { id, project: server.platform.projects(id) };
  };
  const newAvatar = async () => {
    const { id, project } = await newProject();
    const avatar = await project.avatars.create({
      name: 'Ada',
      persona: { prompt: 'You are Ada. You answer in one sentence.' },
      metadata: { team: 'blue' },
    });
    return { id, project, avatar, at: `/projects/${id}/avatars/${avatar.id}` };
  };
  const json = (page: Page) => page.getByLabel('JSON', { exact: true });
  const name = (page: Page) => page.getByLabel('Name', { exact: true });

  test('an avatar is created by keyboard alone, and errors of the API are beside their fields', {
    tags: ['nightly'],
  }, async () => {
    const { id, project } = await newProject();
    const { page, problems } = await server.open(`/projects/${id}/avatars`);
    await page.getByText('There is no avatar yet').waitFor();
    expect(await findingsEverywhere(page)).toEqual([]);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('new avatar');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'New avatar' }).waitFor();
    await name(page).focus();
    await page.keyboard.press('Enter');
    const problem = page.getByRole('alert');
    await problem.waitFor();
    expect(await name(page).getAttribute('aria-invalid')).toBe('true');
    const about = await name(page).getAttribute('aria-describedby');
    expect(await page.locator(`[id="${about}"]`).innerText()).toBe('must not be empty.');
    expect(await page.getByLabel('Language').getAttribute('aria-invalid')).toBe('false');
    expect(await findingsEverywhere(page)).toEqual([]);

    await page.keyboard.type('Ada');
    await page.keyboard.press('Tab');
    await page.keyboard.type('You are Ada.');
    for (const _ of ['greeting', 'language', 'tags']) await page.keyboard.press('Tab');
    await page.keyboard.type('orders');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove the tag orders' }).waitFor();
    await name(page).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Ada' }).waitFor();
    const { items } = await project.avatars.list();
    expect(items).toMatchObject([
      { name: 'Ada', persona: { prompt: 'You are Ada.' }, knowledgeTags: ['orders'], version: 1 },
    ]);
    // The list was loaded before: it has the new avatar.
    await page.getByRole('link', { name: 'Avatars', exact: true }).click();
    await page.getByRole('link', { name: 'Ada' }).waitFor();
    expect(problems).toEqual([]);
  });

  test('the form and the JSON follow each other; JSON that cannot be read is not lost', async () => {
    const { at, project, avatar } = await newAvatar();
    const { page, problems } = await server.open(at);
    await name(page).fill('Ada Lovelace');
    await expect.poll(() => json(page).inputValue().then(JSON.parse)).toMatchObject({ name: 'Ada Lovelace' });

    const text = (await json(page).inputValue()).replace('"team": "blue"', '"team": "red"');
    await json(page).fill(text);
    await expect.poll(() => page.getByLabel('Value of team').inputValue()).toBe('red');

    await json(page).fill(`${text} }`);
    await page.getByText('The fields wait until it can be read.').waitFor();
    expect(await name(page).isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Save as version 2' }).isDisabled()).toBe(true);
    await json(page).fill(text);
    await page.getByText('2 unsaved changes').click();
    await expect.poll(() => page.locator('.save .changes').innerText()).toContain('Metadata: team');
    expect(await findingsEverywhere(page)).toEqual([]);

    // Another page does not lose the changes.
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('heading', { name: 'Environments' }).waitFor();
    await page.goBack();
    await page.getByText('2 unsaved changes').waitFor();
    await page.getByRole('button', { name: 'Save as version 2' }).click();
    await page.getByRole('button', { name: 'Saved' }).waitFor();
    expect(await project.avatars.get(avatar.id)).toMatchObject({
      name: 'Ada Lovelace',
      metadata: { team: 'red' },
      version: 2,
    });
    expect(problems).toEqual([]);
  });

  test('the model is one of those that the service lists, and keeps its settings', async () => {
    const { at, project, avatar } = await newAvatar();
    await project.avatars.update(avatar.id, { model: { modelId: 'gone', temperature: 0.5 } });
    const { page } = await server.open(at);
    await page.route(/\/models(\?|$)/, (route) =>
      route.fulfill({
        json: { success: true, data: { items: [{ id: 'one' }, { id: 'two' }], nextCursor: null } },
      }),
    );
    // The form asks for the list each time that it opens.
    await page.getByRole('link', { name: 'Versions', exact: true }).click();
    await page.getByRole('link', { name: 'Content' }).click();
    const model = page.getByLabel('Model that answers');
    await expect
      .poll(() => model.locator('option').allInnerTexts())
      .toEqual(['None', 'one', 'two', 'gone (not listed)']);
    await model.selectOption('two');
    await page.getByLabel('Tokens of an answer').fill('5000');
    await page.getByRole('button', { name: 'Save as version 3' }).click();
    await page.locator('small .invalid').waitFor();
    await page.getByLabel('Tokens of an answer').fill('500');
    expect(await findingsEverywhere(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save as version 3' }).click();
    await page.getByRole('button', { name: 'Saved' }).waitFor();
    const { model: stored } = await project.avatars.get(avatar.id);
    expect(stored).toEqual({ modelId: 'two', temperature: 0.5, maxTokens: 500 });
  });

  test('the runtime is edited as JSON, and each fault has its line', async () => {
    const { at, project, avatar } = await newAvatar();
    const { page, problems } = await server.open(at);
    await page.getByText('40 of 32,000 characters.', { exact: false }).waitFor();
    await page.getByText('Runtime', { exact: true }).click();
    const runtime = page.getByLabel('Runtime as JSON');
    await runtime.fill('{\n  "model": "m"\n  "tools": []\n}');
    await page.getByText('Line 3: a comma or the end is expected.').waitFor();
    expect(await runtime.getAttribute('aria-invalid')).toBe('true');
    expect(await name(page).isDisabled()).toBe(false);
    await name(page).fill('Eve');
    expect(await page.getByRole('button', { name: 'Save as version 2' }).isDisabled()).toBe(true);
    expect(await findingsEverywhere(page)).toEqual([]);

    await runtime.fill('{\n  "model": "m",\n  "tools": [\n    "\\ud800"\n  ]\n}');
    await page.getByRole('button', { name: 'Save as version 2' }).click();
    await page.getByText('Line 4: must be well-formed Unicode.').waitFor();
    await runtime.fill('{\n  "model": "m",\n  "tools": []\n}');
    await expect
      .poll(() => json(page).inputValue().then(JSON.parse))
      .toMatchObject({ runtime: { model: 'm' } });
    // The JSON beside the form changes the field.
    await json(page).fill((await json(page).inputValue()).replace('"model": "m"', '"model": "n"'));
    await expect.poll(() => runtime.inputValue()).toContain('"model": "n"');
    await page.getByRole('button', { name: 'Save as version 2' }).click();
    await page.getByRole('button', { name: 'Saved' }).waitFor();
    expect(await project.avatars.get(avatar.id)).toMatchObject({
      name: 'Eve',
      runtime: { model: 'n', tools: [] },
    });
    expect(problems).toEqual([]);
  });

  test('a change of somebody else is a difference, and both changes are kept by choice', async () => {
    const { at, project, avatar } = await newAvatar();
    const { page, problems } = await server.open(at);
    await name(page).fill('Mine');
    await page.getByLabel('Prompt').fill('You are Ada. You answer in two sentences.');
    await project.avatars.update(avatar.id, { name: 'Theirs', metadata: { team: 'red' } });
    await page.getByRole('button', { name: 'Save as version 2' }).click();

    await page.getByRole('heading', { name: 'Somebody else saved version 2' }).waitFor();
    const save = page.getByRole('button', { name: 'Save as version 3' });
    expect(await save.isDisabled()).toBe(true);
    await page.getByText('1 field needs a choice.').waitFor();
    const field = (label: string) => page.getByRole('group', { name: label });
    expect(await field('Name').innerText()).toContain('Both of you changed it');
    expect(await field('Prompt').getByLabel(/^Mine/).isChecked()).toBe(true);
    expect(
      await field('Metadata: team')
        .getByLabel(/^Theirs/)
        .isChecked(),
    ).toBe(true);
    expect(await field('Prompt').locator('ins').allInnerTexts()).toEqual(['two sentences']);
    expect(await findingsEverywhere(page)).toEqual([]);
    await field('Name').getByLabel(/^Mine/).check();

    // Somebody is faster again: the choices are asked for once more, and nothing is overwritten.
    await project.avatars.update(avatar.id, { persona: { greeting: 'Hello' } });
    await save.click();
    await page.getByRole('heading', { name: 'Somebody else saved version 3' }).waitFor();
    await page.getByRole('button', { name: 'Save as version 4' }).click();
    await page.getByRole('button', { name: 'Saved' }).waitFor();
    expect(await project.avatars.get(avatar.id)).toMatchObject({
      name: 'Mine',
      persona: { prompt: 'You are Ada. You answer in two sentences.', greeting: 'Hello' },
      metadata: { team: 'red' },
      version: 4,
    });
    expect(problems).toEqual([]);
  });

  test('versions show what changed, two of them are compared, and an old one is put into the form', async () => {
    const { at, project, avatar } = await newAvatar();
    await project.avatars.update(avatar.id, { persona: { prompt: 'You are Ada. You answer politely.' } });
    await project.avatars.update(avatar.id, { name: 'Ada Lovelace' });
    await project.deployments.create({ environment: 'production' });
    const { page, problems } = await server.open(`${at}?view=versions&from=1&to=3`);
    const compared = page.locator('.compare');
    await compared.getByText('Prompt').waitFor();
    expect(await compared.locator('ins').allInnerTexts()).toEqual([' Lovelace', 'politely']);
    const second = page.getByRole('listitem').filter({ hasText: 'Version 2' });
    await second.getByText('Version 2').click();
    await second.locator('del').first().waitFor();
    expect(await second.locator('del').allInnerTexts()).toEqual(['in one sentence']);
    const third = page.getByRole('listitem').filter({ hasText: 'Version 3' });
    expect(await third.innerText()).toContain('production');
    expect(await findingsEverywhere(page)).toEqual([]);
    await second.getByRole('button', { name: 'Put version 2 into the form' }).click();
    await expect.poll(() => name(page).inputValue()).toBe('Ada');
    await page.getByRole('button', { name: 'Save as version 4' }).click();
    await page.getByRole('button', { name: 'Saved' }).waitFor();
    expect(await project.avatars.get(avatar.id)).toMatchObject({ name: 'Ada', version: 4 });
    expect(problems).toEqual([]);
  });

  test('an avatar is deleted by typing; one that is served is refused, and the page says it before', async () => {
    const { at, project, avatar, id } = await newAvatar();
    await project.deployments.create({ environment: 'production' });
    const { page } = await server.open(at);
    await page.getByText('serves it').waitFor();
    await page.getByRole('button', { name: 'Delete …' }).click();
    await page.getByText(/production serves this avatar, so the service will refuse/).waitFor();
    const remove = page.getByRole('button', { name: 'Delete permanently' });
    expect(await remove.isDisabled()).toBe(true);
    await page.getByLabel('Type delete to confirm').fill('delete');
    await remove.click();
    await page.getByRole('alert').getByText('Avatar in use').waitFor();
    expect(await findingsEverywhere(page)).toEqual([]);
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Archive' }).click();
    await page.getByRole('button', { name: 'Make active again' }).waitFor();
    await project.deployments.create({ environment: 'production' });
    await page.getByRole('button', { name: 'Delete …' }).click();
    await page.getByLabel('Type delete to confirm').fill('delete');
    await remove.click();
    await page.getByText('There is no avatar yet').waitFor();
    expect(page.url()).toContain(`#/projects/${id}/avatars`);
    await expect(project.avatars.get(avatar.id)).rejects.toMatchObject({ status: 404 });
  });

  test('hostile text is text, in the list, the form and the difference', async () => {
    const { id, project } = await newProject();
    const hostile = '</textarea><img src=x onerror="window.hit=1"><style>*{display:none}</style>\u202e';
    const avatar = await project.avatars.create({
      name: hostile,
      persona: { prompt: 'Plain' },
      metadata: { toString: hostile, constructor: hostile },
    });
    await project.avatars.update(avatar.id, { persona: { prompt: `${hostile}\n`.repeat(80) } });
    const { page, problems } = await server.open(`/projects/${id}/avatars`);
    await page.getByRole('link', { name: '</textarea><img' }).click();
    expect(await name(page).inputValue()).toBe(hostile);
    expect(JSON.parse(await json(page).inputValue())).toMatchObject({
      metadata: { constructor: hostile },
    });
    await page.getByRole('link', { name: 'Versions', exact: true }).click();
    await page.getByText('Version 2', { exact: true }).click();
    await page.locator('.version ins').first().waitFor();
    expect(await page.locator('.version ins').first().innerText()).toContain('<img src=x onerror=');
    expect(await page.locator('main').locator('img, style').count()).toBe(0);
    expect(await page.evaluate('window.hit')).toBe(undefined);
    expect(await findingsEverywhere(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('a key that may only read sees the values, and no button that would be refused', async () => {
    const { at } = await newAvatar();
    const { secret } = await server.platform.apiKeys.create({
      name: 'reader',
      scopes: ['avatars:read'],
      expiresIn: '1d',
    });
    const { page, problems } = await server.open(at, secret);
    await page.getByText('Your key has no avatars:write, so you can only read.').waitFor();
    await page.locator('.values').waitFor();
    expect(await name(page).count()).toBe(0);
    for (const label of [/Save/, /Archive/, /Delete/])
      expect(await page.getByRole('button', { name: label }).count()).toBe(0);
    expect(problems).toEqual([]);
  });
});
