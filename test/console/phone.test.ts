/** The console on a phone: its menu, and what stands first on a page. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeFindings, hasBrowser, inBrowser } from '../support/browser.ts';
import { type ConsoleServer, openConsole } from '../support/console.ts';

describe.skipIf(!hasBrowser)(inBrowser('a phone'), { tags: ['long'] }, () => {
  let server: ConsoleServer;
  let project: string;
  beforeAll(async () => {
    server = await openConsole();
    project = (await server.platform.projects.create({ name: 'Support' })).id;
  });
  afterAll(() => server?.stop());

  test.each([
    ['upright', { width: 390, height: 664 }],
    ['sideways', { width: 664, height: 390 }],
  ])('%s, the menu has all entries within the screen, and closes behind a link', async (_, viewport) => {
    const { page, problems } = await server.open(`/projects/${project}`, server.apiKey, { viewport });
    const menu = page.getByRole('navigation', { name: 'Pages' });
    await page.getByRole('heading', { level: 1, name: 'Support' }).waitFor();
    expect(await menu.isVisible()).toBe(false);
    const open = page.getByRole('button', { name: 'Menu', exact: true });
    await open.press('Enter');
    const links = menu.getByRole('link');
    await links.first().waitFor();
    expect(await links.count()).toBe(14);
    const box = await menu.boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(viewport.height);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(viewport.width);
    for (const link of await links.all()) {
      await link.scrollIntoViewIfNeeded();
      const at = await link.boundingBox();
      expect(at?.y).toBeGreaterThanOrEqual(box?.y ?? 0);
      expect((at?.y ?? 0) + (at?.height ?? 0)).toBeLessThanOrEqual((box?.y ?? 0) + (box?.height ?? 0));
      // Nothing is wider than the menu.
      expect(await link.evaluate((one) => one.scrollWidth - one.clientWidth)).toBeLessThanOrEqual(0);
    }
    expect(await axeFindings(page)).toEqual([]);
    await links.last().click();
    await page.getByRole('heading', { level: 1, name: 'Usage and limits' }).waitFor();
    expect(await menu.isVisible()).toBe(false);
    await open.click();
    await page.keyboard.press('Escape');
    await expect.poll(() => menu.isVisible()).toBe(false);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(viewport.width);
    expect(problems).toEqual([]);
  });

  test('a conversation shows its deployment and its key at the top, and the transcript before its scores', async () => {
    const { avatars, conversations, deployments, evaluators } = server.platform.projects(project);
    const { id: avatarId } = await avatars.create({ name: 'Ada', persona: { prompt: 'You are Ada.' } });
    const { id: deploymentId } = await deployments.create({ environment: 'production', reason: 'Shorter' });
    const { id } = await conversations.create({ avatarId, deploymentId, externalUserId: 'u' });
    await conversations.append(id, { messages: [{ role: 'user', text: 'Hello' }] });
    await evaluators.create({ name: 'csat', kind: 'external', output: { type: 'boolean' } });
    await conversations.scores.put(id, 'csat', { value: true });
    const address = `/projects/${project}/conversations/${id}`;
    const phone = { viewport: { width: 390, height: 844 } };
    for (const options of [phone, {}]) {
      const { page, problems } = await server.open(address, server.apiKey, options);
      const facts = page.locator('.facts').first();
      const deployment = facts.getByRole('link', { name: 'Shorter' });
      await deployment.waitFor();
      expect(await deployment.getAttribute('href')).toContain(deploymentId);
      await facts.getByRole('link', { name: 'root' }).waitFor();
      const message = await page.getByText('Hello', { exact: true }).boundingBox();
      const card = await page.locator('.score-cards > li').first().boundingBox();
      if (options === phone) expect(card?.y).toBeGreaterThan(message?.y ?? Number.POSITIVE_INFINITY);
      // On a wide screen, they are beside each other.
      else expect(card?.x).toBeGreaterThan((message?.x ?? 0) + (message?.width ?? 0));
      expect(problems).toEqual([]);
    }
  });
});
