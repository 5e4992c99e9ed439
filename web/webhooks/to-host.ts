/** What names a webhook in a sentence. */
export const toHost = (url: string) => (URL.canParse(url) ? new URL(url).host : url);
