/** The page is small; a server that needs longer than this would keep a person waiting. */
const LIMIT_MS = 3_000;

/** The server's page, so that a new release is seen at once; the stored one where the server is too slow, out of reach, or down. */
export async function loadPage(request: Request, findStored: () => Promise<Response | undefined>): Promise<Response> {
  const fetching = fetch(request);
  fetching.catch(() => {}); // reported below, unless the stored page was shown
  const first = await Promise.race([fetching.catch(() => undefined), afterLimit()]);
  if (first && first.status < 500) return first;
  return (await findStored()) ?? fetching;
}

const afterLimit = () => new Promise<undefined>((resolve) => setTimeout(resolve, LIMIT_MS, undefined));
