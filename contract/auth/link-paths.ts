/** The pages behind links in mails: their URL has a token. */
export const LINK_PATHS: readonly string[] = [
  '/reset-password',
  '/confirm-email',
  '/report-sign-in',
  '/invitation',
  '/stop-weekly-email',
];
