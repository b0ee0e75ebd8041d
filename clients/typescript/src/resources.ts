// Written by `npm run generate`.

import { type At, callable, type Transport } from './core/resource.ts';
import { ConversationsHelpers } from './helpers/conversations.ts';
import { EvaluationRuns } from './helpers/evaluation-runs.ts';
import { Exports } from './helpers/exports.ts';
import { Jobs } from './helpers/jobs.ts';
import { KnowledgeHelpers, KnowledgeSources } from './helpers/knowledge.ts';
import { Replies } from './helpers/replies.ts';
import { WebhooksHelpers } from './helpers/webhooks.ts';
import { ApiKeysMethods, AuditEventsMethods, AvatarsMethods, AvatarsVersionsMethods, ConversationsScoresMethods, DeploymentsMethods, DownloadsMethods, EnvironmentsMethods, EvaluatorsMethods, EvaluatorsVersionsMethods, EventsMethods, KnowledgeDocumentsMethods, MeMethods, ModelsMethods, ProjectsMethods, RolloutsMethods, ServiceMethods, UploadsMethods, UsageMethods, WebhooksDeliveriesMethods, WorkloadIdentitiesMethods } from './generated/methods.ts';

export class Avatars extends AvatarsMethods {
  readonly versions: AvatarsVersionsMethods;

  constructor(...at: At) {
    super(...at);
    this.versions = new AvatarsVersionsMethods(...at);
  }
}

export class Conversations extends ConversationsHelpers {
  readonly scores: ConversationsScoresMethods;

  constructor(...at: At) {
    super(...at);
    this.scores = new ConversationsScoresMethods(...at);
  }
}

export class Evaluators extends EvaluatorsMethods {
  readonly versions: EvaluatorsVersionsMethods;

  constructor(...at: At) {
    super(...at);
    this.versions = new EvaluatorsVersionsMethods(...at);
  }
}

export class Knowledge extends KnowledgeHelpers {
  readonly documents: KnowledgeDocumentsMethods;
  readonly sources: KnowledgeSources;

  constructor(...at: At) {
    super(...at);
    this.documents = new KnowledgeDocumentsMethods(...at);
    this.sources = new KnowledgeSources(...at);
  }
}

export class Webhooks extends WebhooksHelpers {
  readonly deliveries: WebhooksDeliveriesMethods;

  constructor(...at: At) {
    super(...at);
    this.deliveries = new WebhooksDeliveriesMethods(...at);
  }
}

/** What a project has. */
export class ProjectResources {
  readonly avatars: Avatars;
  readonly conversations: Conversations;
  readonly deployments: DeploymentsMethods;
  readonly environments: EnvironmentsMethods;
  readonly evaluationRuns: EvaluationRuns;
  readonly evaluators: Evaluators;
  readonly exports: Exports;
  readonly jobs: Jobs;
  readonly knowledge: Knowledge;
  readonly replies: Replies;
  readonly rollouts: RolloutsMethods;
  readonly uploads: UploadsMethods;

  constructor(...at: At) {
    this.avatars = new Avatars(...at);
    this.conversations = new Conversations(...at);
    this.deployments = new DeploymentsMethods(...at);
    this.environments = new EnvironmentsMethods(...at);
    this.evaluationRuns = new EvaluationRuns(...at);
    this.evaluators = new Evaluators(...at);
    this.exports = new Exports(...at);
    this.jobs = new Jobs(...at);
    this.knowledge = new Knowledge(...at);
    this.replies = new Replies(...at);
    this.rollouts = new RolloutsMethods(...at);
    this.uploads = new UploadsMethods(...at);
  }
}

/** `projects(id)` has what the project has; `projects.list()` is about projects themselves. */
export type Projects = ProjectsMethods & ((projectId: string) => ProjectResources);

/** What the platform has. */
export class PlatformResources extends ServiceMethods {
  readonly apiKeys: ApiKeysMethods;
  readonly auditEvents: AuditEventsMethods;
  readonly downloads: DownloadsMethods;
  readonly events: EventsMethods;
  readonly me: MeMethods;
  readonly models: ModelsMethods;
  readonly usage: UsageMethods;
  readonly webhooks: Webhooks;
  readonly workloadIdentities: WorkloadIdentitiesMethods;
  readonly projects: Projects;

  constructor(transport: Transport) {
    const at: At = [transport, ''];
    super(...at);
    this.apiKeys = new ApiKeysMethods(...at);
    this.auditEvents = new AuditEventsMethods(...at);
    this.downloads = new DownloadsMethods(...at);
    this.events = new EventsMethods(...at);
    this.me = new MeMethods(...at);
    this.models = new ModelsMethods(...at);
    this.usage = new UsageMethods(...at);
    this.webhooks = new Webhooks(...at);
    this.workloadIdentities = new WorkloadIdentitiesMethods(...at);
    this.projects = callable(new ProjectsMethods(...at), (base) => new ProjectResources(transport, base));
  }
}
