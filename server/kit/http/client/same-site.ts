import type { FastifyRequest } from 'fastify';
import { Refusal } from '#contract/errors.ts';
import { isLoopback } from './loopback.ts';

/** The host check against DNS rebinding: another site's host name may resolve to this machine. */
export function createHostCheck(appUrl: string): (request: FastifyRequest) => void {
  const appHostname = new URL(appUrl).hostname;
  // Nearly every request has the same host as the one before.
  let lastAccepted: string | undefined;
  return ({ host = '' }) => {
    if (host === lastAccepted) return;
    requireKnownHost(host, appHostname);
    lastAccepted = host;
  };
}

function requireKnownHost(host: string, appHostname: string) {
  const name = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : '';
  if (name && (isLoopback(name) || name === appHostname)) return;
  throw new Refusal('unknown_host', 'This host name is not known here. Set APP_URL to the address people use.');
}

/** Writes must come from our own pages. Clients that send neither header are covered by the SameSite cookie. */
export function requireSameSite(request: FastifyRequest, appUrl: string): void {
  if (request.method === 'GET' || request.method === 'HEAD') return;
  const fetchSite = request.headers['sec-fetch-site'];
  const origin = request.headers.origin;
  const allowed = fetchSite !== undefined ? fetchSite === 'same-origin' : origin === undefined || isOwnOrigin(origin);
  if (!allowed) throw new Refusal('cross_site', 'This request came from another site');

  function isOwnOrigin(url: string) {
    if (!URL.canParse(url)) return false;
    const { origin: sender, host, protocol } = new URL(url);
    // With https, an http page of the same host may come from anyone on the network.
    const trusted = protocol === 'https:' || (protocol === 'http:' && !appUrl.startsWith('https:'));
    return sender === appUrl || (trusted && host === new URL(`${protocol}//${request.host}`).host);
  }
}
