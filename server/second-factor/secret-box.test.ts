import { expect, test } from 'vitest';
import { createSecretBox } from './secret-box.ts';

const installationKey = 'the key of the installation';
const box = createSecretBox({ installationKey });
const operatorsBox = createSecretBox({ installationKey, operatorKey: 'the key of the operator' });

test('a secret is read again for its user only, and its text is not stored', () => {
  const stored = box.encrypt('JBSWY3DPEHPK3PXP', 7);
  expect(stored).not.toContain('JBSWY3DPEHPK3PXP');
  expect(box.encrypt('JBSWY3DPEHPK3PXP', 7)).not.toBe(stored);
  expect(box.decrypt(stored, 7)).toBe('JBSWY3DPEHPK3PXP');
  expect(box.decrypt(stored, 8)).toBeUndefined();
});

test('secrets from before the operator had a key stay readable; new ones need it', () => {
  expect(operatorsBox.decrypt(box.encrypt('secret', 7), 7)).toBe('secret');
  const stored = operatorsBox.encrypt('secret', 7);
  expect(operatorsBox.decrypt(stored, 7)).toBe('secret');
  expect(box.decrypt(stored, 7)).toBeUndefined();
  expect(createSecretBox({ installationKey, operatorKey: 'another key' }).decrypt(stored, 7)).toBeUndefined();
});

test('a changed text is not read', () => {
  const stored = box.encrypt('secret', 7);
  const [, data = ''] = stored.split('.');
  const bytes = Buffer.from(data, 'base64url');
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  expect(box.decrypt(`i.${bytes.toString('base64url')}`, 7)).toBeUndefined();
});
