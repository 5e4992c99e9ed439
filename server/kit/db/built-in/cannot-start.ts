/** Why the built-in PostgreSQL cannot be started, in one line for the person who starts the product. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart';
}
