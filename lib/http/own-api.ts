/** A function that forwards requests to the API has the address of the API. */

/** The variable with the base URL of the API, such as `https://api.example.com/api/v1`. */
export const ownApiVariable = 'API_URL';

export type OwnApi = {
  /** The base URL comes from the settings of the function, never from a request. It has no slash at its end. */
  url: () => string;
  /** Sends a request to the API. A redirect is an error. */
  send: (path: string, request: RequestInit) => Promise<Response>;
};

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
