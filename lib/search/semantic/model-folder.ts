/** Where the model is. In a bundle, it is beside the function. */
export const modelFolder = `${import.meta.dirname}/model`;
