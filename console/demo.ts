/** Fills a dev server with the data of a small support team. The screenshots and the tests of the console show it. */

import { type ImportedConversation, Platform } from '../clients/typescript/src/index.ts';

const dayMs = 86_400_000;
const minuteMs = 60_000;

const handbook = [
  [
    'Refunds',
    'refunds.md',
    'billing',
    'A refund takes five working days. Refunds go to the card that paid. After 30 days, support asks the finance team.',
  ],
  [
    'Shipping',
    'shipping.md',
    'orders',
    'Parcels leave the warehouse on the day of the order, until 14:00. Islands take two days more.',
  ],
  [
    'Returns',
    'returns.md',
    'orders',
    'A return needs the number of the order. The label is in the account, under Orders. Opened cosmetics cannot be returned.',
  ],
  [
    'Passwords',
    'passwords.md',
    'accounts',
    'The link to reset a password is valid for one hour. Support never asks for a password.',
  ],
  [
    'Opening hours',
    'hours.md',
    'general',
    'Chat is open every day from 8:00 to 22:00. Telephone is open from Monday to Friday, 9:00 to 17:00.',
  ],
  [
    'Warranty',
    'warranty.md',
    'orders',
    'Machines have a warranty of three years. Wearing parts have a warranty of six months.',
  ],
] as const;

const exchanges = [
  [
    'My order arrived broken. Can I send it back?',
    'I am sorry about that. You can return it within 30 days. The label is in your account, under Orders.',
    'returns',
  ],
  [
    'Where is my parcel?',
    'Orders until 14:00 leave the warehouse on the same day. Which order do you mean?',
    'shipping',
  ],
  [
    'How long does a refund take?',
    'A refund takes five working days. It goes to the card that you paid with.',
    'refund',
  ],
  [
    'I cannot sign in any more.',
    'I can send you a link to reset your password. The link is valid for one hour.',
    'account',
  ],
  ['Are you open on Sunday?', 'Chat is open every day from 8:00 to 22:00.', 'general'],
  [
    'The machine leaks. This is the third time, and nobody answers my mails!',
    'That is not good enough, and I am sorry. The machine has a warranty of three years: I open a case for you now.',
    'warranty',
  ],
] as const;

export type Demo = {
  project: string;
  avatar: string;
  environment: string;
  conversation: string;
  evaluator: string;
  webhook: string;
  key: string;
};

/** @param nowMs the newest conversation starts shortly before this time */
export async function fillDemo(platform: Platform, nowMs: number): Promise<Demo> {
  const { id: project } = await platform.projects.create({
    name: 'Support',
    description: 'The help desk of the shop.',
  });
  for (const name of ['Onboarding', 'Showroom']) await platform.projects.create({ name });
  const { avatars, knowledge, deployments, conversations, jobs } = platform.projects(project);

  const documents = new Map<string, string>();
  for (const [title, source, tag, content] of handbook) {
    const { id } = await knowledge.documents.create({
      title,
      source,
      content: `# ${title}\n\n${content}\n`,
      tags: [tag],
      mimeType: 'text/markdown',
    });
    documents.set(title, id);
  }
  const { id: avatar } = await avatars.create({
    name: 'Clara',
    persona: { prompt: 'You answer questions of customers. Be brief and friendly. Never promise a date.' },
    knowledgeTags: ['billing', 'orders'],
  });
  const { id: guide } = await avatars.create({
    name: 'Max',
    persona: { prompt: 'You help new customers to set up their machine.' },
  });
  await jobs.wait((await knowledge.reindex()).id);
  const firstDeployment = await deployments.create({ environment: 'production', reason: 'First release' });
  await avatars.update(avatar, {
    persona: {
      prompt: 'You answer questions of customers. Be brief. Offer a refund only if the customer asks.',
    },
  });
  await deployments.create({ environment: 'staging', reason: 'Shorter answers' });
  const secondDeployment = await deployments.create({ environment: 'production', reason: 'Shorter answers' });

  const citationsOf = (tag: string) => {
    const title = { warranty: 'Warranty', returns: 'Returns', shipping: 'Shipping', refund: 'Refunds' }[tag];
    const documentId = title && documents.get(title);
    return documentId ? [{ documentId, title }] : [];
  };
  /** The second deployment has served people for so many days. */
  const newDays = 11;
  const imported: ImportedConversation[] = [];
  for (let number = 0; number < 84; number += 1) {
    const [question, answer, tag] = exchanges[number % exchanges.length] ?? exchanges[0];
    // Multiples of the golden ratio spread the conversations over the days. The power gives later days more of them.
    const day = Math.floor(((number * 0.618034) % 1) ** 1.4 * 30);
    const startMs = nowMs - day * dayMs - (number % 9) * 47 * minuteMs - 20 * minuteMs;
    imported.push({
      externalId: `demo-${number}`,
      avatarId: avatar,
      deploymentId: day < newDays ? secondDeployment.id : firstDeployment.id,
      externalUserId: `customer-${(number * 7) % 31}`,
      channel: ['chat', 'phone', 'kiosk'][number % 3] ?? 'chat',
      tags: [tag],
      startedAt: new Date(startMs),
      endedAt: new Date(startMs + 4 * minuteMs),
      endReason: number % 14 === 5 ? 'abandoned' : 'resolved',
      messages: [
        { role: 'user', text: question, at: new Date(startMs) },
        {
          role: 'avatar',
          text: answer,
          at: new Date(startMs + 6000),
          citations: citationsOf(tag),
          metadata: { latencyMs: `${800 + ((number * 37) % 900)}` },
        },
        { role: 'user', text: 'Thank you. Can a person call me?', at: new Date(startMs + 2 * minuteMs) },
        {
          role: 'avatar',
          text: 'Of course. A colleague calls you within the hour, at the number of your order.',
          at: new Date(startMs + 2 * minuteMs + 4000),
        },
        { role: 'user', text: 'Great, thank you!', at: new Date(startMs + 3 * minuteMs) },
      ],
    });
  }
  for (let at = 0; at < imported.length; at += 20)
    await conversations.import({ conversations: imported.slice(at, at + 20) });
  const openConversation = await conversations.create({
    avatarId: avatar,
    externalUserId: 'customer-8',
    channel: 'chat',
  });
  await conversations.append(openConversation.id, {
    messages: [{ role: 'user', text: 'Hello, is anybody there?' }],
  });

  const evaluator = await fillScores(platform, project);
  await avatars.update(guide, {
    persona: { prompt: 'You help new customers to set up their machine. Greet them by name.' },
  });
  const environment = await fillRollout(platform, project, avatar);

  const { id: key } = await platform.apiKeys.create({
    name: 'Nightly report',
    scopes: ['conversations:read', 'projects:read'],
    expiresIn: '6d',
  });
  const deploy = await platform.apiKeys.create({
    name: 'GitHub Actions',
    scopes: ['deploy:write', 'api-keys:write', 'projects:read'],
    expiresIn: '90d',
    projectIds: [project],
  });
  const ci = new Platform({ baseUrl: platform.baseUrl, apiKey: deploy.secret });
  await ci.apiKeys.create({
    name: 'Preview deployments',
    scopes: ['deploy:write'],
    expiresIn: '30d',
    projectIds: [project],
  });
  const { id: webhook } = await platform.webhooks.create({
    url: 'https://hooks.example.com/platform',
    eventTypes: ['conversation.ended', 'job.failed'],
    description: 'Closes tickets in the help desk.',
  });
  await platform.webhooks.test(webhook);
  const [complaint] = (await conversations.list({ tag: 'warranty', limit: 1 })).items;
  return {
    project,
    avatar,
    environment,
    conversation: complaint?.id ?? openConversation.id,
    evaluator,
    webhook,
    key,
  };
}

/**
 * Customers rate the conversations of some days, a rule scores all conversations, and a person corrects one score.
 * @returns the id of the evaluator of the ratings
 */
async function fillScores(platform: Platform, project: string): Promise<string> {
  const { conversations, evaluationRuns, evaluators, jobs } = platform.projects(project);
  const { id } = await evaluators.create({
    name: 'csat',
    description: 'How satisfied the customer is. Asked at the end.',
    kind: 'external',
    output: { type: 'number', min: 1, max: 5 },
  });
  await evaluators.create({
    name: 'no_apology',
    description: 'Nothing had gone wrong.',
    kind: 'rule',
    rule: { not: { contains: { text: 'sorry', role: 'avatar' } } },
  });
  await evaluators.create({
    name: 'mood',
    description: 'How the customer sounds at the end.',
    kind: 'external',
    output: { type: 'category', values: ['happy', 'neutral', 'angry'] },
  });
  const { items } = await conversations.list({ status: 'ended', limit: 60 });
  const deployments = [...new Set(items.map(({ deploymentId }) => deploymentId))];
  const ratings = items.map((conversation, at) => {
    const isNew = conversation.deploymentId === deployments[0];
    const value = isNew ? 3 + (at % 3) : 2 + (at % 3);
    return { id: conversation.id, value };
  });
  for (let at = 0; at < ratings.length; at += 10)
    await Promise.all(
      ratings.slice(at, at + 10).map(({ id, value }) => conversations.scores.put(id, 'csat', { value })),
    );
  const [complaint] = (await conversations.list({ tag: 'warranty', limit: 1 })).items;
  if (complaint) {
    await conversations.scores.put(complaint.id, 'mood', { value: 'neutral', evidence: [5] });
    await conversations.scores.put(complaint.id, 'mood', {
      value: 'angry',
      rationale: 'It is the third time, and nobody answers the mails.',
      evidence: [1],
      source: 'human',
    });
  }
  await jobs.wait((await evaluationRuns.create({ evaluators: ['no_apology'] })).id);
  return id;
}

/**
 * A part of the customers gets the next deployment, while a guard watches their ratings.
 * @returns the name of the environment
 */
async function fillRollout(platform: Platform, project: string, avatarId: string): Promise<string> {
  const { conversations, deployments, environments, rollouts } = platform.projects(project);
  const name = 'production';
  const candidate = await deployments.create({
    environment: name,
    promote: false,
    reason: 'Greets new customers by name',
  });
  await rollouts.start(name, {
    deploymentId: candidate.id,
    steps: [
      { percent: 25, holdMinutes: 60 },
      { percent: 50, pause: true },
    ],
    guards: [
      { score: 'csat', better: 'higher', maxHarm: 0.3 },
      { score: 'mood', value: 'angry', better: 'lower', maxHarm: 0.05 },
    ],
    reason: 'Setting up a machine took too long.',
  });
  const talk = async (number: number) => {
    const externalUserId = `new-customer-${number}`;
    const { rollout } = await environments.config(name, { unit: externalUserId });
    const { id } = await conversations.create({
      ...{ avatarId, externalUserId, channel: 'chat' },
      ...(rollout?.assignment && { assignment: rollout.assignment }),
    });
    await conversations.append(id, {
      messages: [
        { role: 'user', text: 'How do I start the machine?' },
        { role: 'avatar', text: 'Fill the tank, then hold the button for three seconds.' },
      ],
    });
    await conversations.end(id, { reason: 'resolved' });
    await conversations.scores.put(id, 'csat', { value: 2 + (number % 4) });
  };
  await Promise.all(Array.from({ length: 10 }, (_, number) => talk(number)));
  return name;
}
