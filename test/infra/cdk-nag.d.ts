/** npm does not install the package (scripts/shared/fetched-packages.ts). These are the parts that a test uses. */

declare module 'cdk-nag' {
  import type { IPolicyValidationPlugin } from 'aws-cdk-lib';
  import type { IConstruct } from 'constructs';

  type Checks = new (scope: IConstruct) => IPolicyValidationPlugin;
  export const AwsSolutionsChecks: Checks;
  export const ServerlessChecks: Checks;
}
