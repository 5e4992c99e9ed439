import { username } from '#contract/users/user.ts';

const MAX_CANDIDATES = 50;

/**
 * Names for a new account, the best first: what the provider calls the user, or the beginning of the address, in the
 * characters that usernames may have; then the same with a number.
 */
export function listUsernames({ username: preferred, email }: { username: string | undefined; email: string }) {
  const [fromEmail = ''] = email.split('@');
  const [fromPreferred = ''] = (preferred ?? '').split('@');
  const base = [fromPreferred, fromEmail].map(clean).find((name) => name.length >= 3) ?? 'user';
  const numbered = Array.from({ length: MAX_CANDIDATES - 1 }, (_, n) => `${base.slice(0, 46)}.${n + 2}`);
  return [base, ...numbered].filter((name) => username.safeParse(name).success);
}

const clean = (name: string) =>
  name
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9._-]+/g, '')
    .slice(0, 50);
