import { z } from 'zod';
import { call } from '../call.ts';
import { newToken, teamToken, token } from './token.ts';

const tokenParams = z.object({ tokenId: z.uuid() });

export const listTokens = call({
  method: 'GET',
  path: '/api/account/tokens',
  access: 'user',
  summary: "The viewer's own tokens for programs, the newest first.",
  response: z.array(token),
});

export const createToken = call({
  method: 'POST',
  path: '/api/account/tokens',
  access: 'user',
  summary: 'Makes a token with which a program makes calls for the viewer. The response is the only one that has it.',
  body: newToken,
  response: z.strictObject({ secret: z.string(), token }),
  success: 201,
  needsProof: true,
});

export const endToken = call({
  method: 'DELETE',
  path: '/api/account/tokens/:tokenId',
  access: 'user',
  summary: "Ends one of the viewer's own tokens.",
  params: tokenParams,
  response: z.array(token),
});

export const listTeamTokens = call({
  method: 'GET',
  path: '/api/tokens',
  access: 'admin',
  summary: 'The tokens of all users, the last used first.',
  response: z.array(teamToken),
});

export const endTeamToken = call({
  method: 'DELETE',
  path: '/api/tokens/:tokenId',
  access: 'admin',
  summary: 'Ends the token of any user.',
  params: tokenParams,
  response: z.array(teamToken),
});
