import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { requireDeclaredAccess } from './serve.ts';

test('mounting a route under /api without a declared access throws', () => {
  const app = Fastify();
  requireDeclaredAccess(app);
  expect(() => app.get('/api/open', async () => 'x')).toThrow('GET /api/open declares no access');
  app.get('/page', async () => 'x');
  app.get('/api/known', { config: { access: 'user' } }, async () => 'x');
  expect(app.apiRoutes).toContain('GET /api/known');
});
