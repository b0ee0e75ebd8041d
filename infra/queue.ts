import { Duration, Stack } from 'aws-cdk-lib';
import { AnyPrincipal, Effect, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { CfnQueuePolicy, Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';

/** An encrypted queue that keeps messages for as long as SQS can ("Amazon SQS message quotas"). */
export function newQueue(scope: Construct, id: string, settings: QueueProps = {}): Queue {
  const queue = new Queue(scope, id, {
    encryption: QueueEncryption.SQS_MANAGED,
    retentionPeriod: Duration.days(14),
    ...settings,
  });
  TlsPolicy.of(scope).add(queue);
  return queue;
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

  add({ queueUrl }: Queue): void {
    this.#policy.queues = [...this.#policy.queues, queueUrl];
  }
}
