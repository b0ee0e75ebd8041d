export function licenceTexts(inputs: string[], folder: string): Promise<string>;
