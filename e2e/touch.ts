import type { Page } from '@playwright/test';

interface Point {
  x: number;
  y: number;
}

/** A finger on the screen of a phone, as the browser's own touch events. */
export async function openTouchScreen(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: true });
  const dispatch = async (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: Point[]) => {
    await session.send('Input.dispatchTouchEvent', { type, touchPoints });
  };
  return {
    press: (at: Point) => dispatch('touchStart', [at]),
    move: (to: Point) => dispatch('touchMove', [to]),
    release: () => dispatch('touchEnd', []),
    async swipe(from: Point, to: Point) {
      await dispatch('touchStart', [from]);
      for (let step = 1; step <= 5; step += 1) {
        const share = step / 5;
        await dispatch('touchMove', [{ x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share }]);
      }
      await dispatch('touchEnd', []);
    },
  };
}
