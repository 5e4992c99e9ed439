/** The embedded engine did not answer. Its code is the SQLSTATE that a server would have given. */
export class EngineFault extends Error {
  override readonly name = 'EngineFault';
  readonly code: string;

  constructor(code: keyof typeof REASONS, detail: string) {
    super(`${REASONS[code]}: ${detail}`);
    this.code = code;
  }
}

const REASONS = {
  '53100': 'The disk is full',
  '57014': 'The statement took too long',
  '57P02': 'The embedded database stopped',
  '57P03': 'The embedded database is not open',
  '25P03': 'The transaction was left open',
};
