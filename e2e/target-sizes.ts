import { expect, type Page } from '@playwright/test';

/** WCAG 2.5.8 asks for 24 px; fingers need 44. */
const MIN_PX = { desktop: 24, phone: 44 };

/**
 * Fails where a link, button or field is smaller than a pointer needs. A label belongs to its control. Exempt are links
 * within a sentence, what is visually hidden, and the markers of the map, whose place is given.
 */
export async function expectLargeTargets(page: Page, screen: string, within = 'body') {
  const phone = (page.viewportSize()?.width ?? 0) < 640;
  const min = phone ? MIN_PX.phone : MIN_PX.desktop;
  await expect
    .poll(() => findSmallTargets(page, min, within), `${screen} at ${page.viewportSize()?.width} px`)
    .toEqual([]);
}

const findSmallTargets = (page: Page, min: number, within: string) =>
  page.evaluate(
    ({ min, within }) => {
      const TARGETS =
        'a[href], button, input, select, textarea, summary, [role="tab"], [role="menuitem"], [role="option"]';
      const found: string[] = [];
      for (const target of document.querySelector(within)?.querySelectorAll<HTMLElement>(TARGETS) ?? []) {
        if (!target.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
        if (target.closest('[inert], [aria-hidden="true"], .leaflet-marker-pane, .leaflet-control-attribution'))
          continue;
        const labels = 'labels' in target ? [...((target as HTMLInputElement).labels ?? [])] : [];
        if (isVisuallyHidden(target) && !labels.length) continue;
        if (target.matches('a') && isWithinText(target)) continue;
        const box = union([target, ...labels].filter((one) => !isVisuallyHidden(one)));
        // Half a pixel of rounding.
        if (box.width + 0.5 >= min && box.height + 0.5 >= min) continue;
        if (reachesAround(target, labels, box)) continue;
        const name =
          target.getAttribute('aria-label') ?? labels[0]?.textContent ?? target.textContent?.trim().slice(0, 40);
        found.push(`${target.tagName.toLowerCase()} "${name}" ${Math.round(box.width)}×${Math.round(box.height)}`);
      }
      return found;

      function isVisuallyHidden(element: Element) {
        const { width, height } = element.getBoundingClientRect();
        return width <= 1 || height <= 1 || getComputedStyle(element).clipPath === 'inset(50%)';
      }

      /** Whether there is other text on the same line, as in a sentence. */
      function isWithinText(link: HTMLElement) {
        if (getComputedStyle(link).display !== 'inline') return false;
        const around = link.parentElement?.cloneNode(true) as HTMLElement;
        for (const one of around.querySelectorAll('a, button')) one.remove();
        return around.textContent?.trim() !== '';
      }

      function union(elements: Element[]) {
        const boxes = elements.map((element) => element.getBoundingClientRect());
        const left = Math.min(...boxes.map((box) => box.left));
        const top = Math.min(...boxes.map((box) => box.top));
        const right = Math.max(...boxes.map((box) => box.right));
        const bottom = Math.max(...boxes.map((box) => box.bottom));
        return { left, top, width: right - left, height: bottom - top };
      }

      /** Whether the area that reacts is larger than the box, by a pseudo-element of the target or its label. */
      function reachesAround(target: HTMLElement, labels: Element[], { width, height }: ReturnType<typeof union>) {
        target.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
        const shown = [target, ...labels].filter((one) => !isVisuallyHidden(one));
        const box = union(shown);
        const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
        // The areas of two neighbours may meet within a pixel or two.
        const reach = min / 2 - 2;
        const points = [
          ...(width < min
            ? [
                [x - reach, y],
                [x + reach, y],
              ]
            : []),
          ...(height < min
            ? [
                [x, y - reach],
                [x, y + reach],
              ]
            : []),
        ];
        return points.every(([left = 0, top = 0]) => {
          const [hit] = document.elementsFromPoint(left, top).filter((one) => !isOverlay(one, target));
          return hit !== undefined && shown.some((one) => one.contains(hit));
        });
      }

      /** A bar or toast that covers a part of the page, which can be scrolled from under it. */
      function isOverlay(element: Element, target: Element) {
        for (let one: Element | null = element; one && !one.contains(target); one = one.parentElement) {
          if (['fixed', 'sticky'].includes(getComputedStyle(one).position)) return true;
        }
        return false;
      }
    },
    { min, within },
  );
