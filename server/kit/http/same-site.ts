import type { FastifyRequest } from 'fastify';
import { Refusal } from '#contract/errors.ts';
import { isLoopback } from './loopback.ts';

/** The host check: a name that is not ours may be somebody else's page pointed at this machine. */
export function knownHostRule(appUrl: string): (request: FastifyRequest) => void {
  const ours = new URL(appUrl).hostname;
  // Nearly every request names the same host as the one before.
  let lastKnown: string | undefined;
  return ({ host = '' }) => {
    if (host === lastKnown) return;
    requireKnown(host, ours);
    lastKnown = host;
  };
}

function requireKnown(host: string, ours: string) {
  const name = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : '';
  if (name && (isLoopback(name) || name === ours)) return;
  throw new Refusal('unknown_host', 'This host name is not known here. Set APP_URL to the address people use.');
}

/** Changes must come from our own pages; scripts, which send neither header, have SameSite as the second line. */
export function requireSameSite(request: FastifyRequest, appUrl: string): void {
  if (request.method === 'GET' || request.method === 'HEAD') return;
  const fetchSite = request.headers['sec-fetch-site'];
  const origin = request.headers.origin;
  const allowed = fetchSite !== undefined ? fetchSite === 'same-origin' : origin === undefined || ours(origin);
  if (!allowed) throw new Refusal('cross_site', 'This request came from another site');

  function ours(address: string) {
    if (!URL.canParse(address)) return false;
    const { origin: sender, host, protocol } = new URL(address);
    // Under an https address a page of the same host over http may be anyone's on the network.
    const trusted = protocol === 'https:' || (protocol === 'http:' && !appUrl.startsWith('https:'));
    return sender === appUrl || (trusted && host === new URL(`${protocol}//${request.host}`).host);
  }
}
