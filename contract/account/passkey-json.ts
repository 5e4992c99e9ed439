import { z } from 'zod';

// As the browser's own methods and the libraries of both sides read and write them; the server verifies every part.

/** What a browser says of a new passkey, or of one that is used. */
export const passkeyResponse = z.looseObject({
  id: z.string().max(2_000),
  rawId: z.string().max(2_000),
  type: z.literal('public-key'),
  response: z.looseObject({ clientDataJSON: z.string().max(5_000) }),
  clientExtensionResults: z.looseObject({}).default({}),
});
export type PasskeyResponse = z.output<typeof passkeyResponse>;

/** What a browser needs to use a passkey. */
export const requestOptions = z.looseObject({ challenge: z.string() });

/** What a browser needs to make a passkey. */
export const creationOptions = z.looseObject({ challenge: z.string() });
