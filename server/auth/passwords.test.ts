import { expect, test } from 'vitest';
import { createPasswords, loadArgon2 } from './passwords.ts';

const argon2 = await loadArgon2();

test('hashes are Argon2id with the OWASP parameters and a random salt', async () => {
  const passwords = await createPasswords(argon2);
  const [one, two] = await Promise.all([passwords.hash('secret 1'), passwords.hash('secret 1')]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  expect(two).not.toBe(one);
  expect(passwords.needsRehash(one)).toBe(false);
  expect(await passwords.verify(one, 'secret 1')).toBe(true);
  expect(await passwords.verify(one, 'secret 2')).toBe(false);
});

test('without an account no password matches', async () => {
  expect(await (await createPasswords(argon2)).verify(undefined, '')).toBe(false);
});

test('without Argon2 hashes are scrypt, and need a rehash where Argon2 is available', async () => {
  const without = await createPasswords(undefined);
  const hash = await without.hash('pässwörd 🔑');
  expect(hash).toMatch(/^\$scrypt\$ln=17,r=8,p=1\$/);
  expect(without.needsRehash(hash)).toBe(false);
  const passwords = await createPasswords(argon2);
  expect(await passwords.verify(hash, 'pässwörd 🔑')).toBe(true);
  expect(await passwords.verify(hash, 'password')).toBe(false);
  expect(passwords.needsRehash(hash)).toBe(true);
});

test('four run at once, two hundred are queued, the next is refused as busy', async () => {
  let running = 0;
  let maxRunning = 0;
  const slow = {
    hash: async () => {
      running += 1;
      maxRunning = Math.max(maxRunning, running);
      await new Promise((resolve) => setTimeout(resolve, 1));
      running -= 1;
      return '$argon2id$';
    },
  } as unknown as NonNullable<typeof argon2>;
  const passwords = await createPasswords(slow);
  const all = await Promise.allSettled(Array.from({ length: 205 }, () => passwords.hash('x')));
  expect(maxRunning).toBe(4);
  const refused = all.filter((one) => one.status === 'rejected');
  expect(refused).toHaveLength(1);
  expect(refused[0]?.reason).toMatchObject({ code: 'busy' });
  expect(await passwords.hash('x')).toBe('$argon2id$');
});

test('admitted work is never refused, and frees its place when it ends or fails', async () => {
  const passwords = await createPasswords(argon2);
  const twice = await passwords.admit(async ({ hash, verify }) => {
    const pending = Array.from({ length: 203 }, () => passwords.admit(() => new Promise<void>(setImmediate)));
    await expect(passwords.hash('x')).rejects.toMatchObject({ code: 'busy' });
    const hashed = await hash('secret');
    await Promise.all(pending);
    return verify(hashed, 'secret');
  });
  expect(twice).toBe(true);
  const failing = Array.from({ length: 204 }, () => passwords.admit(() => Promise.reject(new Error('failed'))));
  await Promise.allSettled(failing);
  expect(await passwords.admit(async () => 'a place')).toBe('a place');
});
