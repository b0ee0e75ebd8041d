/** The examples in docs/ci.md: none has a secret, and all identities can be created. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import create from '../../functions/workload-identities/create.ts';
import { ciClaims } from '../../scripts/local/ci-tokens.ts';
import { root } from '../../scripts/shared/root.ts';
import { expectPinnedActions, type Step } from '../support/workflows.ts';

const text = readFileSync(resolve(root, 'docs/ci.md'), 'utf8');

/** @returns the first block of a language below a heading */
function blockOf(heading: string, language: 'json' | 'yaml'): string {
  const section = text.slice(text.indexOf(`\n## ${heading}\n`)).split('\n## ')[1] ?? '';
  return new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(section)?.[1] ?? '';
}

type Identity = { subject: string; claims: Record<string, string> };
const identityOf = (heading: string) => JSON.parse(blockOf(heading, 'json')) as Identity;

const github = parse(blockOf('GitHub Actions', 'yaml'), { strict: true }) as {
  permissions: unknown;
  jobs: { deploy: { permissions: unknown; environment: string; env: Record<string, string>; steps: Step[] } };
};
const gitlab = parse(blockOf('GitLab', 'yaml'), { strict: true }) as {
  deploy: {
    environment: string;
    timeout: string;
    id_tokens: Record<string, { aud: string }>;
    script: string[];
  };
};
const buildkite = parse(blockOf('Buildkite', 'yaml'), { strict: true }) as {
  steps: { key: string; branches: string; env: Record<string, string> }[];
};
const kubernetes = parse(blockOf('Kubernetes', 'yaml'), { strict: true }) as {
  spec: {
    containers: { env: { name: string; value: string }[]; volumeMounts: { mountPath: string }[] }[];
    volumes: { projected: { sources: { serviceAccountToken: { path: string } }[] } }[];
  };
};

test('no example has a secret', () => {
  expect(text).not.toContain('secrets.');
  expect(text).not.toContain('PLATFORM_API_KEY');
});

describe('the workflow of GitHub', () => {
  const { deploy } = github.jobs;

  test('has id-token in its job only, and pins its actions', () => {
    expect(github.permissions).toEqual({ contents: 'read' });
    expect(deploy.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
    for (const value of Object.values(deploy.env)) expect(value).toMatch(/^\$\{\{ (vars|github)\.\w+ \}\}$/);
    expectPinnedActions(blockOf('GitHub Actions', 'yaml'), deploy.steps);
  });

  test('has the subject and the claims of its identity', () => {
    const { subject, claims } = identityOf('GitHub Actions');
    const issued = ciClaims('http://issuer', new URLSearchParams({ environment: deploy.environment }), 0);
    expect(issued).toMatchObject({ sub: subject, ...claims });
  });

  test('runs what the job of GitLab runs', () => {
    const runs = deploy.steps.flatMap(({ run }) => run ?? []);
    expect(runs.slice(1, 2)).toEqual(['platform login --oidc']);
    expect(gitlab.deploy.script).toEqual(runs.map((run) => run.replace('$SHA', '$CI_COMMIT_SHA')));
  });
});

test('the job of GitLab ends before its token is too old, and has its environment', () => {
  expect(gitlab.deploy.id_tokens).toEqual({ PLATFORM_ID_TOKEN: { aud: '$PLATFORM_AUDIENCE' } });
  expect(Number.parseInt(gitlab.deploy.timeout, 10)).toBeLessThan(60);
  expect(identityOf('GitLab').claims).toMatchObject({ environment: gitlab.deploy.environment });
});

test('the step of Buildkite asks for the claims of its identity', () => {
  const { subject, claims } = identityOf('Buildkite');
  const [step] = buildkite.steps;
  expect(step?.env.BUILDKITE_OIDC_TOKEN_CLAIMS?.split(',')).toEqual(Object.keys(claims));
  expect(subject.endsWith(`:step:${step?.key}`)).toBe(true);
  expect(subject).toContain(`:ref:refs/heads/${step?.branches}:`);
});

test('the pod of Kubernetes reads the file that is mounted', () => {
  const [container] = kubernetes.spec.containers;
  const [volume] = kubernetes.spec.volumes;
  const file = `${container?.volumeMounts[0]?.mountPath}/${volume?.projected.sources[0]?.serviceAccountToken.path}`;
  expect(container?.env).toContainEqual({ name: 'PLATFORM_ID_TOKEN_FILE', value: file });
});

test.each(['GitHub Actions', 'GitLab', 'Buildkite'])(
  'the identity for %s is valid, and has ids',
  (heading) => {
    const { claims, ...others } = identityOf(heading);
    const projectIds = ['proj_01JZ4Y7Q8R5T2V9W3X6B0C1D4E'];
    expect(create.request.body?.safeParse({ claims, ...others, projectIds }).error).toBeUndefined();
    expect(Object.keys(claims).filter((name) => name.endsWith('_id')).length).toBe(2);
  },
);
