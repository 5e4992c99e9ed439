import { render } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { useSession, useViewer } from './session.data.ts';

test.each([
  ['useSession', useSession],
  ['useViewer', useViewer],
])('%s outside its provider throws', (_, useHook) => {
  vi.mocked(console.error).mockImplementation(() => {});
  function WithoutProvider() {
    useHook();
    return null;
  }
  expect(() => render(<WithoutProvider />)).toThrow('useSession must be used within a SessionProvider');
});
