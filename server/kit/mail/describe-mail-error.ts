const SENTENCES: Record<string, string> = {
  EAUTH: 'The mail server refused the user name or the password',
  ENOAUTH: 'The mail server asks for a user name and a password',
  EENVELOPE: 'The mail server refused the sender or the recipient',
  EMESSAGE: 'The mail server refused the message',
  ETLS: 'No encrypted connection to the mail server could be made',
  EDNS: 'The name of the mail server could not be looked up',
  ECONNECTION: 'The mail server could not be reached',
  ESOCKET: 'The mail server could not be reached',
  ETIMEDOUT: 'The mail server did not answer in time',
  EPROTOCOL: 'The mail server did not answer as a mail server does',
  ENOSPC: 'There is no room for the file of the message',
  EACCES: 'The folder for messages cannot be written to',
};

/** As nodemailer and the file system describe it. */
interface MailError {
  code?: string;
  /** Of the mail server. */
  responseCode?: number;
  /** Of the connection, such as ECONNREFUSED. */
  originalCode?: string;
}

/** For administrators: a code has no e-mail address in it, as the words of a mail server may have. */
export function describeMailError(error: unknown): string {
  const { code = '', responseCode, originalCode } = error as MailError;
  const sentence = SENTENCES[code] ?? 'An unexpected error; the log has the details';
  const detail = responseCode ?? originalCode;
  return detail === undefined ? sentence : `${sentence} (${detail})`;
}
