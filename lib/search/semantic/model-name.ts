/**
 * Names the model, its quantisation and the tokenizer. Vectors are stored by it, and it is a part of a version's hash. So a change
 * of the model, the tokenizer, the text of a piece or the languages needs another name.
 */
export const modelName = 'minilm-l6-v2-int8-1';

export const dimensions = 384;
