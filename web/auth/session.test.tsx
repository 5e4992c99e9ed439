import { render } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { useSession, useViewer } from './session.data.ts';

test.each([
  ['useSession', useSession],
  ['useViewer', useViewer],
])('%s outside its provider is a mistake', (_, useIt) => {
  vi.mocked(console.error).mockImplementation(() => {});
  function Stray() {
    useIt();
    return null;
  }
  expect(() => render(<Stray />)).toThrow('useSession must be used within a SessionProvider');
});
