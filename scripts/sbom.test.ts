import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { at, ROOT } from './setup/paths.mjs';

test('npm run sbom prints a CycloneDX document of every installed package', () => {
  const options = { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const;
  const { bomFormat, metadata, components } = JSON.parse(execFileSync('npm', ['run', '--silent', 'sbom'], options));
  expect(bomFormat).toBe('CycloneDX');
  expect(metadata.component.type).toBe('application');
  expect(metadata.component.purl).toMatch(/^pkg:npm\/highstreet@/);

  const { packages } = JSON.parse(readFileSync(at('node_modules/.package-lock.json'), 'utf8')) as {
    packages: Record<string, { version: string }>;
  };
  const installed = Object.entries(packages).map(
    ([path, { version }]) => `pkg:npm/${path.replace(/^.*node_modules\//, '')}@${version}`,
  );
  const listed = components.map(({ purl }: { purl: string }) => decodeURIComponent(purl));
  expect(listed.sort()).toEqual([...new Set(installed)].sort());
});
