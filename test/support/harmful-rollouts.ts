/** Rollouts whose candidate solves nothing, up to the score that ends them. The functions and workers may run elsewhere. */

import { setTimeout as sleep } from 'node:timers/promises';
import { inBatches } from '../../lib/base/batches.ts';
import { assign, showAssignment, type Variant } from '../../lib/rollouts/assign.ts';
import { firstValues } from '../../lib/rollouts/sequence.ts';
import type { ContractApi, Json } from '../../samples/api.ts';
import { avatarBody, deploymentBody } from '../../samples/samples.ts';

export type HarmfulRollout = {
  /** Writes the score that makes the breach. Resolves with its response. */
  breach: () => Promise<void>;
  status: () => Promise<unknown>;
};

type Running = Json & { id: string; span: number; percent: number };

const callersAtOnce = 4;

/** Opens a project with an evaluator. */
export async function openHarmfulRollouts({ call, createProject }: ContractApi) {
  const project = await createProject();
  const { id: avatarId } = await send('POST', '/avatars', avatarBody);
  await send('POST', '/evaluators', { name: 'solved', kind: 'external', output: { type: 'boolean' } });

  async function send(method: string, path: string, body?: Json): Promise<Json> {
    const idempotencyKey = crypto.randomUUID();
    for (;;) {
      const sent = { ...(body && { body }), ...(method === 'POST' && { idempotencyKey }) };
      const answer = await call(method, `/projects/${project}${path}`, sent);
      if (answer.status < 300) return answer.data;
      // A busy emulator.
      if (![429, 500, 502, 503, 504].includes(answer.status)) throw new Error(answer.text);
      await sleep(500);
    }
  }

  /** Deploys to a new environment. Without a new prompt before, the deployment would be the current one. */
  async function deploy(environment: string, promote: boolean): Promise<Json> {
    const prompt = `${environment}, ${promote ? 'current' : 'candidate'}`;
    await send('PATCH', `/avatars/${avatarId}`, { persona: { ...avatarBody.persona, prompt } });
    return send('POST', '/deployments', { ...deploymentBody, environment, promote });
  }

  /** @returns the path of the ended conversation of a unit, which has no score */
  async function converse(rollout: Running, unit: string): Promise<string> {
    const assignment = showAssignment(assign(rollout, unit));
    const { id } = await send('POST', '/conversations', { avatarId, assignment });
    await send('POST', `/conversations/${id}/end`, { reason: 'completed' });
    return `/conversations/${id}`;
  }

  const score = (path: string, value: boolean) => send('PUT', `${path}/scores/solved`, { value });

  return {
    /** @returns a rollout on halves, of a new environment. It is one score of the candidate away from the bounds of its guard */
    async prepare(environment: string): Promise<HarmfulRollout> {
      await deploy(environment, true);
      const { id: deploymentId } = await deploy(environment, false);
      const place = `/environments/${environment}/rollout`;
      const guards = [{ score: 'solved', better: 'higher', maxHarm: 0.05 }];
      const rollout = (await send('POST', place, { deploymentId, percent: 50, guards })) as Running;
      const units = { current: unitsOf(rollout, 'current'), candidate: unitsOf(rollout, 'candidate') };
      const [last = '', ...others] = units.candidate;
      const lastPath = await converse(rollout, last);
      await inBatches([...units.current, ...others], callersAtOnce, async (unit) =>
        score(await converse(rollout, unit), units.current.includes(unit)),
      );
      // What others have counted late would be time of the last score.
      const areCounted = async () => {
        const { comparison } = await send('GET', place);
        const [guard] = (comparison as { guards: Json[] }).guards;
        const sides = [guard?.current, guard?.candidate] as {
          units: number;
          open: number;
          unknown: number;
        }[];
        return (
          sides.every((side) => side.units === firstValues && side.open === 0) &&
          sides.map(({ unknown }) => Math.round(unknown * firstValues)).join() === '0,1'
        );
      };
      while (!(await areCounted())) await sleep(200);
      return {
        breach: async () => void (await score(lastPath, false)),
        status: async () => (await send('GET', place)).status,
      };
    },
  };
}

/** @returns as many units of a side as a guard needs values before it has bounds */
function unitsOf(rollout: Running, variant: Variant): string[] {
  const units: string[] = [];
  for (let number = 0; units.length < firstValues; number += 1) {
    const unit = `user-${number}`;
    if (assign(rollout, unit).variant === variant) units.push(unit);
  }
  return units;
}
