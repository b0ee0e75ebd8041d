/** The package has these types from onnxruntime-common, and npm does not install the package (scripts/shared/fetched-packages.ts). */

declare module 'onnxruntime-node' {
  export { InferenceSession, Tensor } from 'onnxruntime-common';
}
