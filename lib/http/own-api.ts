/** The API's own address, for a function that forwards requests to it. */

/** In the environment of a function that forwards: the base URL of the API, such as `https://api.example.com/api/v1`. */
export const ownApiVariable = 'API_URL';

export type OwnApi = {
  /** The base URL, from the settings of the function and never from a request. It has no slash at its end. */
  url: () => string;
  /** Sends a request to the API. A response is never followed to another address. */
  send: (path: string, request: RequestInit) => Promise<Response>;
};

/** For functions that forward nothing. */
export const noOwnApi: OwnApi = {
  url: () => {
    throw new Error('the endpoint does not declare that it forwards requests');
  },
  send: () => Promise.reject(new Error('the endpoint does not declare that it forwards requests')),
};

/** @param url the base URL; undefined for a function that forwards nothing */
export const ownApiAt = (url: string | undefined): OwnApi =>
  url === undefined
    ? noOwnApi
    : {
        url: () => url,
        // The credential must not go to another address.
        send: (path, request) => fetch(url + path, { ...request, redirect: 'error' }),
      };
