/** Responses of requests that wait in the outbox instead, with what takes them out of it. */
const kept = new WeakMap<object, () => void>();

/** In place of the response of a request that waits in the outbox. */
export function keptResponse(onDiscard: () => void): object {
  const response = {};
  kept.set(response, onDiscard);
  return response;
}

export const findDiscard = (response: unknown) =>
  typeof response === 'object' && response !== null ? kept.get(response) : undefined;

/** Whether the request waits in the outbox, so that there is no response to read. */
export const isKept = (response: object) => kept.has(response);

export const KEPT_TOAST = {
  title: 'Kept on this device',
  description: 'There is no connection. It is sent as soon as there is one.',
};
