import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { at } from '../setup/paths.mjs';
import { all, environmentOf, execForm, finalStage, last, parseDockerfile } from './dockerfile.ts';
import { dockerContext } from './dockerignore.ts';

const stages = parseDockerfile(readFileSync(at('Dockerfile'), 'utf8'));
const final = finalStage(stages);
const isGiven = dockerContext(readFileSync(at('.dockerignore'), 'utf8'));

test('every stage begins with the same image, of an exact version', () => {
  expect(new Set(stages.map(({ image }) => image)).size).toBe(1);
  expect(stages[0]?.image).toMatch(/^node:20\.\d+\.\d+-bookworm-slim$/);
});

test('it runs as nobody of importance, in exec form, with a health check that needs no other program', () => {
  expect(last(final, 'USER').text).toBe('1000:1000');
  expect(execForm(last(final, 'ENTRYPOINT'))[0]).toBe('node');
  expect(execForm(last(final, 'CMD'))).toEqual(['dist/server/main.js']);
  const [program, script = ''] = execForm(last(final, 'HEALTHCHECK'));
  expect(program).toBe('node');
  expect(existsSync(at(script))).toBe(true);
  expect(environmentOf(final)).toMatchObject({ NODE_ENV: 'production', DATA_DIR: last(final, 'VOLUME').text });
});

test('the last stage holds the results of the others and what they stand for, no source and no development package', () => {
  const copied = all(final, 'COPY').map(({ text, flags }) => `${flags.from ?? 'context'}: ${text}`);
  expect(copied).toEqual([
    'context: package.json LICENSE ./',
    'context: packaging/healthcheck.mjs ./packaging/',
    'packages: /opt/highstreet/node_modules ./node_modules',
    'build: /opt/highstreet/dist ./dist',
  ]);
  const packages = stages.find(({ name }) => name === 'packages');
  expect(packages && last(packages, 'RUN').text).toContain('npm ci --omit=dev --ignore-scripts');
});

test.each([
  'package.json',
  '.npmrc',
  'server/main.ts',
  'web/main.tsx',
  'scripts/build.ts',
  'packaging/healthcheck.mjs',
])('a build is given %s', (path) => expect(isGiven(path)).toBe(true));
test.each([
  ...['.env', '.git/config', 'node_modules/pg/package.json', 'data/database/PG_VERSION', 'dist/server/main.js'],
  ...['server/app.test.ts', 'web/leads/LeadScreen.test.tsx', 'docs/operations.md', 'team.backup', 'compose.yaml'],
])('a build is not given %s', (path) => expect(isGiven(path)).toBe(false));

test('a build is given everything that it reads', () => {
  const tracked = execFileSync('git', ['ls-files'], { cwd: at(''), encoding: 'utf8' }).split('\n');
  const source = /^(contract|server|web|scripts)\/.*(?<!\.test)\.(ts|tsx|mjs|sql|css|html|svg|json|webmanifest)$/;
  expect(tracked.filter((path) => source.test(path) && !path.includes('.test.') && !isGiven(path))).toEqual([]);
});

test('a program that a shell would start is refused', () => {
  expect(() => execForm({ name: 'CMD', text: 'node main.js', flags: {} })).toThrow('not in exec form');
});
