/**
 * Random sequences of deployments, promotions and rollbacks, compared with a model in memory after each step: the
 * pointer, every phase and the served configuration.
 */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '../../../../samples/api.ts';
import { deploy, openProject, pointerOf } from '../../../support/avatars.ts';

type Step =
  | { kind: 'deploy'; promote: boolean }
  | { kind: 'change' }
  | { kind: 'promote'; nth: number }
  | { kind: 'rollback'; nth: number | undefined };

const nth = fc.nat({ max: 5 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('deploy' as const), promote: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('change' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('promote' as const), nth }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('rollback' as const),
      nth: fc.option(nth, { nil: undefined }),
    }),
  },
);

/** What the API should do, in the simplest way that could be written. */
class Model {
  /** In the order of creation; the name is the avatar's, as it was frozen. */
  readonly deployments: { id: string; wasCurrent: boolean; name: string }[] = [];
  /** Where the pointer was, the current one last. */
  trail: string[] = [];
  isPinned = false;

  moveTo(id: string, trail: string[], isPinned: boolean) {
    for (const deployment of this.deployments) if (deployment.id === id) deployment.wasCurrent = true;
    this.trail = [...trail, id];
    this.isPinned = isPinned;
  }

  phaseOf({ id, wasCurrent }: Model['deployments'][number]) {
    if (this.trail.at(-1) === id) return 'current';
    return wasCurrent ? 'superseded' : 'staged';
  }

  /** @returns the status that the API should answer */
  rollBack(target: Model['deployments'][number] | undefined): number {
    const id = target?.id ?? this.trail.at(-2);
    if (id === undefined || this.trail.length === 0) return 409;
    if (target && !target.wasCurrent) return 409;
    if (!this.trail.includes(id)) {
      this.moveTo(
        id,
        this.trail.filter((other) => other < id),
        true,
      );
    } else this.moveTo(id, this.trail.slice(0, this.trail.indexOf(id)), true);
    return 200;
  }
}

const check = (numRuns: number) =>
  fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 20 }), async (steps) => {
      const api = await openProject();
      const avatar = await api.createAvatar({ name: 'n0' });
      const model = new Model();
      let name = 'n0';

      for (const [index, next] of steps.entries()) {
        if (next.kind === 'deploy') {
          const { id, phase, heldBack } = await deploy(api, { promote: next.promote });
          model.deployments.push({ id, wasCurrent: false, name });
          if (next.promote && !model.isPinned) model.moveTo(id, model.trail, false);
          expect(phase).toBe(next.promote && !model.isPinned ? 'current' : 'staged');
          expect(heldBack).toBe(next.promote && model.isPinned);
        } else if (next.kind === 'change') {
          name = `n${index + 1}`;
          await api.send('PATCH', `/avatars/${avatar.id}`, { name });
        } else if (next.kind === 'promote') {
          const target = model.deployments[next.nth];
          if (!target) continue;
          const { status, text, data } = await api.send('POST', `/deployments/${target.id}/promote`);
          expect(status, text).toBe(200);
          expect(data.phase).toBe('current');
          model.moveTo(
            target.id,
            model.trail.filter((other) => other !== target.id),
            false,
          );
        } else {
          const target = next.nth === undefined ? undefined : model.deployments[next.nth];
          if (model.deployments.length === 0 || (next.nth !== undefined && !target)) continue;
          const body = { environment: 'production', ...(target && { deploymentId: target.id }) };
          const { status, text } = await api.send('POST', '/rollback', body);
          expect(status, text).toBe(model.rollBack(target));
        }
        if (model.deployments.length === 0) continue;

        const current = model.trail.at(-1) ?? null;
        expect(await pointerOf(api)).toEqual({
          current,
          previous: model.trail.at(-2) ?? null,
          pinned: model.isPinned,
        });
        const { data } = await api.send('GET', '/deployments?limit=100');
        expect((data.items as Json[]).map(({ id, phase }) => [id, phase]).reverse()).toEqual(
          model.deployments.map((deployment) => [deployment.id, model.phaseOf(deployment)]),
        );
        const config = await api.send('GET', '/environments/production/config');
        expect(config.status).toBe(current === null ? 404 : 200);
        const served = model.deployments.find(({ id }) => id === current);
        if (served)
          expect(config.data).toMatchObject({ deploymentId: current, avatars: [{ name: served.name }] });
      }
    }),
    { numRuns },
  );

const title = 'random sequences of deployments, promotions and rollbacks';
test(title, () => check(2));
test(`${title}: many of them`, { tags: ['nightly'] }, () => check(40));
