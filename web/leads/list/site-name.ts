/** A website as people say it: without the protocol, without "www." and without what a short name does not need. */
export const siteName = (website: string) =>
  website.replace(/^https?:\/\/(www\.)?/i, '').replace(/[/?#].*$/, '') || website;
