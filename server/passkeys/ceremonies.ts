import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { PasskeyResponse } from '#contract/account/passkey-json.ts';
import { Refusal } from '#contract/errors.ts';
import { createChallenges } from '#server/auth/challenges.ts';
import { describeBrowser } from '#server/auth/sessions/describe-browser.ts';
import type { Db } from '#server/kit/db/db.ts';
import { findPasskey, listCredentials, type NewPasskey } from './passkeys.sql.ts';

/** On first use, because it needs 37 MB. */
const load = () => import('@simplewebauthn/server');

/** The sign-in page asks for a challenge when it opens, and may stay open for a while. */
const CHALLENGE_MINUTES = 60;

export type Ceremonies = ReturnType<typeof createCeremonies>;

export interface UsedPasskey {
  id: string;
  userId: number;
  active: boolean;
  counter: number;
  synced: boolean;
}

/** What a browser and the server say to each other to make a passkey and to use one. All of them need the user's own act. */
export function createCeremonies({ db, appUrl }: { db: Db; appUrl: string }) {
  const { hostname: rpID, origin } = new URL(appUrl);
  const challenges = createChallenges({
    db,
    appUrl,
    name: 'hs_challenge',
    minutes: CHALLENGE_MINUTES,
    sameSite: 'strict',
  });
  const store = (
    request: FastifyRequest,
    reply: FastifyReply,
    { challenge, userId }: { challenge: string; userId: number | null },
  ) => challenges.store(request, reply, { key: challenge, challenge, userId });
  return {
    site: origin,

    /** `handle` is what the device keeps of the account, without its name. */
    startMaking: async (
      request: FastifyRequest,
      reply: FastifyReply,
      user: { id: number | null; handle: string; username: string; fullName: string },
    ) => {
      const { generateRegistrationOptions } = await load();
      const options = await generateRegistrationOptions({
        rpName: 'Highstreet',
        rpID,
        userName: user.username,
        userDisplayName: user.fullName,
        userID: new TextEncoder().encode(user.handle),
        excludeCredentials: user.id === null ? [] : await listCredentials(db, user.id),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      });
      await store(request, reply, { ...options, userId: user.id });
      return { ...options };
    },

    finishMaking: async (
      request: FastifyRequest,
      passkey: PasskeyResponse,
      userId: number | null,
    ): Promise<NewPasskey> => {
      const challenge = await challenges.take(request, readChallenge(passkey), userId);
      const { verifyRegistrationResponse } = await load();
      const made = challenge
        ? await verifyRegistrationResponse({
            response: passkey as unknown as RegistrationResponseJSON,
            ...{ expectedChallenge: challenge, expectedOrigin: origin, expectedRPID: rpID },
            requireUserVerification: true,
          }).catch(() => undefined)
        : undefined;
      if (!made?.verified || !made.registrationInfo) {
        throw new Refusal('invalid_passkey', 'The passkey could not be added. Please try again.');
      }
      const { credential, credentialBackedUp } = made.registrationInfo;
      return {
        credentialId: credential.id,
        publicKey: Buffer.from(credential.publicKey).toString('base64url'),
        counter: credential.counter,
        transports: credential.transports ?? [],
        synced: credentialBackedUp,
      };
    },

    /** Without a user, any passkey of this site: that tells no stranger which accounts exist. */
    startUsing: async (request: FastifyRequest, reply: FastifyReply, userId: number | null) => {
      const { generateAuthenticationOptions } = await load();
      const options = await generateAuthenticationOptions({
        rpID,
        userVerification: 'required',
        allowCredentials: userId === null ? [] : await listCredentials(db, userId),
      });
      await store(request, reply, { ...options, userId });
      return { ...options };
    },

    /** Undefined for whatever does not verify. The caller records the use in its transaction. */
    finishUsing: async (
      request: FastifyRequest,
      response: PasskeyResponse,
      userId: number | null,
    ): Promise<UsedPasskey | undefined> => {
      const challenge = await challenges.take(request, readChallenge(response), userId);
      const passkey = await findPasskey(db, response.id);
      if (!challenge || !passkey || (userId !== null && passkey.userId !== userId)) return undefined;
      const { verifyAuthenticationResponse } = await load();
      const used = await verifyAuthenticationResponse({
        response: response as unknown as AuthenticationResponseJSON,
        ...{ expectedChallenge: challenge, expectedOrigin: origin, expectedRPID: rpID },
        requireUserVerification: true,
        credential: {
          id: passkey.credentialId,
          publicKey: Buffer.from(passkey.publicKey, 'base64url'),
          counter: passkey.counter,
        },
      }).catch(() => undefined);
      if (!used?.verified) return undefined;
      const { newCounter, credentialBackedUp } = used.authenticationInfo;
      return {
        ...{ id: passkey.id, userId: passkey.userId, active: passkey.active },
        ...{ counter: newCounter, synced: credentialBackedUp },
      };
    },
  };
}

const clientData = z.object({ challenge: z.string() });

/** To which challenge the browser says that this is the answer: only to find it, it is verified afterwards. */
function readChallenge({ response }: PasskeyResponse): string {
  try {
    return clientData.parse(JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString())).challenge;
  } catch {
    return '';
  }
}

/** What a passkey is called until its user names it. */
export function nameByBrowser(userAgent: string | undefined): string {
  const { browser, system } = describeBrowser(userAgent);
  return browser && system ? `${browser} on ${system}` : (browser ?? system ?? 'Passkey');
}
