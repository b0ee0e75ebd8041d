/** The page of an environment and its rollout, in a browser. */

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ComparedRollout, RolloutStartRequest } from '../../clients/typescript/src/index.ts';
import { hasBrowser, inBrowser } from '../support/browser.ts';
import { type ConsoleServer, findingsEverywhere, openConsole } from '../support/console.ts';

describe.skipIf(!hasBrowser)(inBrowser('the page of an environment'), { tags: ['long'] }, () => {
  let server: ConsoleServer;
  beforeAll(async () => {
    server = await openConsole();
  });
  afterAll(() => server?.stop());

  const hostile = '<img src=x onerror=alert(1)>\u202e';

  /** Production serves a deployment, and the next one is staged. */
  const newProject = async () => {
    const { id } = await server.platform.projects.create({ name: 'Support' });
    const project = server.platform.projects(id);
    const ada = await project.avatars.create({ name: 'Ada', persona: { prompt: 'You are Ada.' } });
    const current = await project.deployments.create({ environment: 'production', reason: 'Now' });
    await project.avatars.update(ada.id, { persona: { prompt: 'You are Ada. Greet.' } });
    const staged = { environment: 'production', promote: false, reason: 'Greets' };
    const candidate = await project.deployments.create(staged);
    for (const name of ['solved', 'polite'])
      await project.evaluators.create({ name, kind: 'external', output: { type: 'boolean' } });
    return {
      id,
      project,
      ada,
      current,
      candidate,
      at: `/projects/${id}/deployments/environments/production`,
    };
  };

  const guard = { score: 'solved', better: 'higher', maxHarm: 0.05 } as const;
  const started = async (fields: Partial<RolloutStartRequest> = {}) => {
    const created = await newProject();
    const rollout = await created.project.rollouts.start('production', {
      deploymentId: created.candidate.id,
      steps: [
        { percent: 10, holdMinutes: 90 },
        { percent: 50, pause: true },
      ],
      guards: [guard],
      reason: hostile,
      ...fields,
    });
    return { ...created, rollout };
  };

  /** Answers with other figures of the comparison. */
  const compare = (page: Page, change: (rollout: ComparedRollout) => ComparedRollout) =>
    page.route('**/environments/production/rollout', async (route) => {
      if (route.request().method() !== 'GET') return route.continue();
      const response = await route.fetch();
      const { data } = (await response.json()) as { data: ComparedRollout };
      return route.fulfill({ response, json: { success: true, data: change(data) } });
    });

  test('without a rollout, the page says so, and how to start one; a form starts it', async () => {
    const { at, id, project, candidate } = await newProject();
    const { page, problems } = await server.open(`/projects/${id}/deployments`);
    await page.getByRole('heading', { level: 2 }).getByRole('link', { name: 'production' }).click();
    await page.getByText('There has been no rollout').waitFor();
    expect(page.url()).toContain(at);
    await page.getByRole('img', { name: 'Who gets what: 100% current: Now' }).waitFor();
    expect(await findingsEverywhere(page)).toEqual([]);

    await page.getByRole('button', { name: 'Start a rollout …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Start a rollout in production' });
    await dialog.getByRole('button', { name: 'Add a guard' }).click();
    await dialog.getByLabel('Guard 1: score').selectOption('solved');
    await dialog.getByLabel('Guard 1: allowed harm, points').fill('7');
    await dialog.getByLabel('Step 2: percent').fill('5');
    await dialog.getByLabel('Reason').fill('Friendlier.');
    await dialog.getByRole('button', { name: 'Add a step' }).click();
    await dialog.getByRole('button', { name: 'Remove step 3' }).click();
    expect(await findingsEverywhere(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Start the rollout' }).click();
    await dialog.getByText('must rise').first().waitFor();
    await dialog.getByLabel('Step 2: percent').fill('50');
    await dialog.getByRole('button', { name: 'Start the rollout' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('img', { name: 'Who gets what: 90% current: Now, 10% candidate: Greets' }).waitFor();
    expect(await project.rollouts.get('production')).toMatchObject({
      deploymentId: candidate.id,
      steps: [
        { percent: 10, holdMinutes: 60 },
        { percent: 50, pause: true },
      ],
      guards: [{ score: 'solved', better: 'higher', maxHarm: 0.07, minimum: 50, maxUnknown: 0.2 }],
      reason: 'Friendlier.',
    });
    expect(await page.getByRole('button', { name: 'Start a rollout …' }).count()).toBe(0);
    expect(problems).toEqual([]);
  });

  test('each button says what it does, and moves only the version that was shown', async () => {
    const { at, project, rollout, current } = await started();
    const { page, problems } = await server.open(at);
    const versions: (string | undefined)[] = [];
    await page.route(/\/environments\/production\/rollout(\/\w+)?$/, (route) => {
      if (route.request().method() !== 'GET') versions.push(route.request().headers()['if-match']);
      return route.continue();
    });
    const move = async (button: string, says: string, reason = '') => {
      await page.getByRole('button', { name: `${button} …` }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText(says).waitFor();
      await dialog.getByLabel('Reason').fill(reason);
      if (button === 'Raise percent') await dialog.getByLabel('Percent').fill('30');
      await dialog.getByRole('button', { name: button, exact: true }).click();
      return dialog;
    };
    const status = async () => {
      const { status, percent } = await project.rollouts.get('production');
      return `${status} ${percent}`;
    };
    await page.getByText(/held for 1 h 30 min: now, until .* \(in 1 hour\)/).waitFor();
    await move('Pause', 'No time is held', 'Lunch');
    await page.getByRole('button', { name: 'Resume …' }).waitFor();
    expect(await status()).toBe('paused 10');
    await page.getByText('Lunch').first().waitFor();
    expect(await findingsEverywhere(page)).toEqual([]);
    await move('Resume', 'on behalf of your credential');
    await page.getByRole('button', { name: 'Pause …' }).waitFor();
    await move('Raise percent', 'now 10% have it');
    await page.getByRole('img', { name: /30% candidate/ }).waitFor();
    await move('Advance', 'Step 2 begins at once, whatever the guards say: the candidate goes to 50%');
    await page.getByText('It waits until somebody advances it.').waitFor();
    expect(await status()).toBe('waiting_for_advance 50');

    // Somebody else moves it while the dialog is open.
    await page.getByRole('button', { name: 'Complete …' }).click();
    await page.getByRole('dialog').getByText('serves it to everybody at once').waitFor();
    expect(await findingsEverywhere(page)).toEqual([]);
    await project.rollouts.update('production', { paused: true });
    await page.getByRole('dialog').getByRole('button', { name: 'Complete', exact: true }).click();
    await page.getByText('The rollout has moved since you opened this.').waitFor();
    expect(await status()).toBe('paused 50');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Resume …' }).waitFor();

    await move('Abort', 'It is not pinned');
    await page.getByRole('heading', { name: /Last rollout aborted/ }).waitFor();
    await page.getByRole('img', { name: 'Who gets what: 100% current: Now' }).waitFor();
    expect((await project.environments.get('production')).current).toBe(current.id);
    const { version } = await project.rollouts.get('production');
    const shown = Array.from({ length: version - rollout.version }, (_, at) => `"${rollout.version + at}"`);
    expect([...new Set(versions)]).toEqual(shown);
    const rows = page.getByRole('list', { name: 'History' }).getByRole('listitem');
    expect(await rows.count()).toBe(7);
    expect(await rows.last().innerText()).toContain('onerror');
    expect(await page.locator('main img').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  test('a guard is a drawing and a sentence, and its bad conversations are one click away', async () => {
    const { id, at, candidate, ada, project } = await started({
      guards: [guard, { score: 'polite', better: 'higher', maxHarm: 0.1 }],
    });
    for (const [externalUserId, value] of [
      ['u-good', true],
      ['u-bad', false],
    ] as const) {
      const talk = { avatarId: ada.id, externalUserId, deploymentId: candidate.id };
      const { id } = await project.conversations.create(talk);
      await project.conversations.scores.put(id, 'solved', { value });
    }
    const { page, problems } = await server.open('/');
    await compare(page, (rollout) => {
      const [solved, polite] = rollout.comparison.guards;
      if (!solved || !polite) throw new Error('there are no guards');
      const side = { units: 400, open: 0, unknown: 0.01, mean: 0.8 };
      const guards = [
        {
          ...solved,
          ...{ verdict: 'breached' as const, undecidedReason: null, current: side },
          ...{ candidate: { ...side, mean: 0.71 }, difference: -0.09, low: -0.12, high: -0.06 },
        },
        { ...polite, undecidedReason: 'too_many_unknown' as const, candidate: { ...side, unknown: 0.9 } },
      ];
      return { ...rollout, comparison: { ...rollout.comparison, guards } };
    });
    await page.goto(`${server.baseUrl}/console#${at}`);
    const cards = page.getByRole('list', { name: 'Guards' }).getByRole('listitem');
    await cards
      .first()
      .getByText('solved: the candidate has 9 points less; between 6 and 12; the guard allows 5.')
      .waitFor();
    const drawing = cards.first().getByRole('img', {
      name: 'solved: difference −9, band from −12 to −6, harm beyond −5 points',
    });
    // The whole band is in the zone of harm.
    const [zone, band, point] = await Promise.all(
      ['.harm', '.band', '.difference'].map((part) => drawing.locator(part).boundingBox()),
    );
    const endOf = (box: typeof zone) => (box?.x ?? 0) + (box?.width ?? 0);
    expect(endOf(band)).toBeLessThan(endOf(zone));
    expect(band?.width).toBeGreaterThan(20);
    expect(point?.x).toBeGreaterThan(band?.x ?? 0);
    expect(endOf(point)).toBeLessThan(endOf(band));
    await cards.nth(1).getByText('90% with the candidate').waitFor();
    await page.getByText('Duration and messages').click();
    await page.getByRole('table').waitFor();
    expect(await findingsEverywhere(page)).toEqual([]);

    await cards.first().getByRole('link', { name: 'Bad conversations of the candidate by solved' }).click();
    await page.getByRole('heading', { level: 1, name: 'Conversations' }).waitFor();
    const query = new URLSearchParams(page.url().split('?')[1]);
    expect(page.url()).toContain(`/projects/${id}/conversations?`);
    expect(query.get('score')).toBe('solved:eq:false');
    expect(query.get('deploymentId')).toBe(candidate.id);
    await page.getByText('u-bad').first().waitFor();
    expect(await page.getByText('u-good').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  test('the page follows a rollout that moves; a key that may only read sees no button', async () => {
    const { at, project } = await started();
    const { secret } = await server.platform.apiKeys.create({
      name: 'reader',
      scopes: ['deploy:read'],
      expiresIn: '1d',
    });
    const { page, problems } = await server.open('/', secret);
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() >= 400) refused.push(response.url());
    });
    await page.goto(`${server.baseUrl}/console#${at}`);
    await page.getByText('solved: there are no values to compare yet; the guard allows').waitFor();
    for (const label of [/^Advance/, /^Pause/, /^Raise/, /^Complete/, /^Abort/, /^Start/, /^Delete/])
      expect(await page.getByRole('button', { name: label }).count()).toBe(0);
    expect(refused).toEqual([]);
    expect(await page.getByRole('link', { name: /onversations of the/ }).count()).toBe(0);
    expect(await findingsEverywhere(page)).toEqual([]);
    await project.rollouts.complete('production');
    await page.getByRole('heading', { name: /Last rollout completed/ }).waitFor();
    await page.getByRole('img', { name: 'Who gets what: 100% current: Greets' }).waitFor();
    expect(problems).toEqual([]);
  });

  test('a deployment that a rollout holds back says so, and the candidate says who gets it', async () => {
    const { id, project, candidate } = await started();
    const { page, problems } = await server.open(`/projects/${id}/deployments/${candidate.id}`);
    await page.getByText('A rollout gives this deployment to 10% of the users of production.').waitFor();
    await page.goto(`${server.baseUrl}/console#/projects/${id}/deployments`);
    await page.getByRole('button', { name: 'New deployment' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('Third');
    await dialog.getByRole('button', { name: 'Deploy to production' }).click();
    await dialog.getByText('A rollout is running in production.').waitFor();
    expect(await findingsEverywhere(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Close' }).click();

    const other = await project.deployments.create({ environment: 'staging' });
    await page.goto(`${server.baseUrl}/console#/projects/${id}/deployments/${other.id}`);
    await page.getByRole('button', { name: 'Promote to …' }).click();
    await dialog.getByLabel('Environment').fill('production');
    await dialog.getByRole('button', { name: 'Promote to production' }).click();
    await dialog.getByText('yet: a rollout is running in it.').waitFor();
    expect(problems).toEqual([]);
  });
});
