import { Duration, Stack } from 'aws-cdk-lib';
import { AnyPrincipal, Effect, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { CfnQueuePolicy, type IQueue, Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';

type Settings = QueueProps & { queueName: string };

/** An encrypted queue that keeps messages for as long as SQS can ("Amazon SQS message quotas"). */
export function newQueue(scope: Construct, id: string, settings: Settings): IQueue {
  const queue = new Queue(scope, id, {
    encryption: QueueEncryption.SQS_MANAGED,
    retentionPeriod: Duration.days(14),
    ...settings,
  });
  TlsPolicy.of(scope).add(queue);
  return Stack.of(scope).nestedStackParent ? byName(queue, settings) : queue;
}

/** A queue whose ARN is built from its name, because MiniStack would forget the attribute in a nested stack. */
function byName(queue: Queue, { queueName, deadLetterQueue }: Settings): IQueue {
  // The name of its dead-letter queue is no reference, so CloudFormation must be told.
  const deadLetters = deadLetterQueue?.queue.node.scope;
  if (deadLetters) queue.node.addDependency(deadLetters);
  const queueArn = queue.stack.formatArn({ service: 'sqs', resource: queueName });
  return Queue.fromQueueAttributes(queue, 'ByName', { queueArn, queueUrl: queue.queueUrl });
}

/** Refuses requests without TLS to all queues of a stack. There is one policy, because a stack has at most 500 resources. */
class TlsPolicy extends Construct {
  readonly #policy: CfnQueuePolicy;

  static of(scope: Construct): TlsPolicy {
    const stack = Stack.of(scope);
    const existing = stack.node.tryFindChild('QueuesTls');
    return existing instanceof TlsPolicy ? existing : new TlsPolicy(stack, 'QueuesTls');
  }

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.#policy = new CfnQueuePolicy(this, 'Policy', {
      queues: [],
      policyDocument: new PolicyDocument({
        statements: [
          new PolicyStatement({
            effect: Effect.DENY,
            principals: [new AnyPrincipal()],
            actions: ['sqs:*'],
            // The asterisk means the queue that has the policy.
            resources: ['*'],
            conditions: { Bool: { 'aws:SecureTransport': 'false' } },
          }),
        ],
      }),
    });
  }

  add({ queueUrl }: IQueue): void {
    this.#policy.queues = [...this.#policy.queues, queueUrl];
  }
}
