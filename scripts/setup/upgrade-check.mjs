/** The argument with which the built upgrade only checks that no other program uses the database, */
export const CHECK = '--check';
/** and its exit code when one does. A build that does not run at all ends with another. */
export const REFUSED = 3;
