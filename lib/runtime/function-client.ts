/** The settings of the AWS clients of a function come from the environment that Lambda provides. */

export type Variables = Readonly<Record<string, string | undefined>>;

const dnsSuffix = (region: string) => (region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com');

/**
 * @param env region, credentials, and optionally `AWS_ENDPOINT_URL_<SERVICE>`
 * @throws Error if there is no region
 */
export function functionClientConfig(
  env: Variables,
  service: 'dynamodb' | 'kms' | 'sqs' | 's3' | 'bedrock-runtime' | 'secretsmanager' | 'ssm' = 'dynamodb',
) {
  const { AWS_REGION: region, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = env;
  if (!region) throw new Error('AWS_REGION is not set');
  return {
    region,
    endpoint:
      env[`AWS_ENDPOINT_URL_${service.toUpperCase().replaceAll('-', '_')}`] ||
      env.AWS_ENDPOINT_URL ||
      `https://${service}.${region}.${dnsSuffix(region)}`,
    ...(AWS_ACCESS_KEY_ID &&
      AWS_SECRET_ACCESS_KEY && {
        credentials: {
          accessKeyId: AWS_ACCESS_KEY_ID,
          secretAccessKey: AWS_SECRET_ACCESS_KEY,
          ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
        },
      }),
  };
}
