/** @returns whether a test file, by its text, uses a database: through test/support, or by a client of its own */
export const needsDatabase = (text: string): boolean => /\/support\/|DynamoDBClient/.test(text);
