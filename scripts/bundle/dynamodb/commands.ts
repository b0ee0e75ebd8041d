/** The operations that functions use. The members are those of the API, without the parameters that expressions have replaced. */

import type { Structure } from './structures.ts';

const plain = 'plain';
const attributes = 'attributes';

export type Operation = {
  readonly name: string;
  readonly request: Structure;
  readonly response: Structure;
  /** A request that DynamoDB recognises when it is sent again. */
  readonly token?: 'ClientRequestToken';
};

/** A request. Its class says which operation it is for. */
export abstract class Command {
  abstract readonly operation: Operation;
  readonly input: object;

  constructor(input: object) {
    this.input = input;
  }
}

/** The end of each structure with an expression that has values. */
const values = {
  ExpressionAttributeNames: plain,
  ExpressionAttributeValues: attributes,
} as const;

const condition = {
  ConditionExpression: plain,
  ...values,
  ReturnValuesOnConditionCheckFailure: plain,
} as const;

const projection = { ProjectionExpression: plain, ExpressionAttributeNames: plain } as const;
const written = { ReturnConsumedCapacity: plain, ReturnItemCollectionMetrics: plain } as const;
const collection = { structure: { ItemCollectionKey: attributes, SizeEstimateRangeGB: plain } } as const;
const collections = { map: { list: collection } } as const;
const change = {
  Attributes: attributes,
  ConsumedCapacity: plain,
  ItemCollectionMetrics: collection,
} as const;

const get: Operation = {
  name: 'GetItem',
  request: {
    TableName: plain,
    Key: attributes,
    ConsistentRead: plain,
    ReturnConsumedCapacity: plain,
    ...projection,
  },
  response: { Item: attributes, ConsumedCapacity: plain },
};

const keys = {
  map: { structure: { Keys: { list: attributes }, ConsistentRead: plain, ...projection } },
} as const;

const batchGet: Operation = {
  name: 'BatchGetItem',
  request: { RequestItems: keys, ReturnConsumedCapacity: plain },
  response: { Responses: { map: { list: attributes } }, UnprocessedKeys: keys, ConsumedCapacity: plain },
};

const query: Operation = {
  name: 'Query',
  request: {
    TableName: plain,
    IndexName: plain,
    Select: plain,
    Limit: plain,
    ConsistentRead: plain,
    ScanIndexForward: plain,
    ExclusiveStartKey: attributes,
    ReturnConsumedCapacity: plain,
    ProjectionExpression: plain,
    FilterExpression: plain,
    KeyConditionExpression: plain,
    ...values,
  },
  response: {
    Items: { list: attributes },
    Count: plain,
    ScannedCount: plain,
    LastEvaluatedKey: attributes,
    ConsumedCapacity: plain,
  },
};

const put: Operation = {
  name: 'PutItem',
  request: { TableName: plain, Item: attributes, ReturnValues: plain, ...written, ...condition },
  response: change,
};

const update: Operation = {
  name: 'UpdateItem',
  request: {
    TableName: plain,
    Key: attributes,
    ReturnValues: plain,
    ...written,
    UpdateExpression: plain,
    ...condition,
  },
  response: change,
};

const remove: Operation = {
  name: 'DeleteItem',
  request: { TableName: plain, Key: attributes, ReturnValues: plain, ...written, ...condition },
  response: change,
};

const writes = {
  map: {
    list: {
      structure: {
        PutRequest: { structure: { Item: attributes } },
        DeleteRequest: { structure: { Key: attributes } },
      },
    },
  },
} as const;

const batchWrite: Operation = {
  name: 'BatchWriteItem',
  request: { RequestItems: writes, ...written },
  response: { UnprocessedItems: writes, ItemCollectionMetrics: collections, ConsumedCapacity: plain },
};

const keyed = { structure: { Key: attributes, TableName: plain, ...condition } } as const;

const transactWrite: Operation = {
  name: 'TransactWriteItems',
  request: {
    TransactItems: {
      list: {
        structure: {
          ConditionCheck: keyed,
          Put: { structure: { Item: attributes, TableName: plain, ...condition } },
          Delete: keyed,
          Update: {
            structure: { Key: attributes, UpdateExpression: plain, TableName: plain, ...condition },
          },
        },
      },
    },
    ...written,
    ClientRequestToken: plain,
  },
  response: { ConsumedCapacity: plain, ItemCollectionMetrics: collections },
  token: 'ClientRequestToken',
};

export class GetCommand extends Command {
  readonly operation = get;
}

export class BatchGetCommand extends Command {
  readonly operation = batchGet;
}

export class QueryCommand extends Command {
  readonly operation = query;
}

export class PutCommand extends Command {
  readonly operation = put;
}

export class UpdateCommand extends Command {
  readonly operation = update;
}

export class DeleteCommand extends Command {
  readonly operation = remove;
}

export class BatchWriteCommand extends Command {
  readonly operation = batchWrite;
}

export class TransactWriteCommand extends Command {
  readonly operation = transactWrite;
}
