const REVOKE_AFTER_MS = 60_000;

/** Downloads a file from memory. */
export function saveFile(name: string, content: Blob) {
  const url = URL.createObjectURL(content);
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  // Safari reads the file after the click has returned; revoking at once would save an empty one.
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_AFTER_MS);
}

/** The name that the server gave to the file of a response. */
export const readFileName = ({ headers }: Response): string | undefined =>
  /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '')?.[1];
