import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Db } from '#server/kit/db/db.ts';

/** What account administration needs of sign-in. `auth` implements it: `auth` imports `users`, never the reverse. */
export interface AccountAccess {
  hashPassword: (password: string) => Promise<string>;
  /** Where the team's rules want it. `path` is the field of the password. */
  refuseCommonPassword: (password: string, path: string) => Promise<void>;
  /** Refuses once the session of this request has ended, and keeps it from ending until the transaction does. */
  requireSession: (tx: Db, request: FastifyRequest) => Promise<void>;
  /** The sessions, and the tokens for programs. */
  endAccess: (tx: Db, userId: number) => Promise<void>;
  /** Of those who shall not come back: what their devices have stored can never be read again. */
  dropDeviceKeys: (tx: Db, userId: number) => Promise<void>;
  /** Ends all sessions but the one of this request, which gets a new id. Call the result to send the new cookie. */
  endOtherSessions: (tx: Db, userId: number, request: FastifyRequest) => Promise<(reply: FastifyReply) => void>;
  invalidateResetTokens: (tx: Db, userId: number) => Promise<void>;
}
