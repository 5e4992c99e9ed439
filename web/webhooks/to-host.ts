/** What names a webhook in a sentence: its host and port. */
export const toHost = (url: string) => /^https?:\/\/([^/?]+)/i.exec(url)?.[1] ?? url;
