const cache = new Map<string, CSSStyleDeclaration>();

/**
 * jsdom matches every rule of its default style sheet against each element that it is asked about, and against those above it
 * for what is inherited: a third of the time of all tests, as roles and names depend on what is hidden. Screens have no style
 * sheet in tests, so that elements have the same style if they have the same tag and attributes, below the same inline styles.
 */
export function cacheComputedStyles(window: Window) {
  const compute = window.getComputedStyle;
  window.getComputedStyle = (element, pseudo) => {
    if (pseudo) return compute.call(window, element, pseudo);
    const key = describeStyle(element);
    const style = cache.get(key) ?? keepValues(compute.call(window, element));
    cache.set(key, style);
    return style;
  };
}

/** What the default style sheet and inheritance depend on. */
function describeStyle(element: Element): string {
  const own = ['type', 'open', 'dir', 'popover'].map((name) => element.getAttribute(name));
  const inherited: (string | null)[] = [];
  for (let at: Element | null = element; at; at = at.parentElement) {
    if (at.hasAttribute('style') || at.hasAttribute('hidden'))
      inherited.push(at === element ? 'own' : 'above', at.getAttribute('style'), at.getAttribute('hidden'));
  }
  return JSON.stringify([element.tagName, own, inherited]);
}

/** jsdom computes a value each time that it is read. */
function keepValues(style: CSSStyleDeclaration): CSSStyleDeclaration {
  const values = new Map<string | symbol, unknown>();
  const read = <T>(name: string | symbol, compute: () => T): T => {
    if (!values.has(name)) values.set(name, compute());
    return values.get(name) as T; // only this function sets it, for the same name
  };
  return new Proxy(style, {
    get: (_, name) =>
      name === 'getPropertyValue'
        ? (property: string) => read(`--${property}`, () => style.getPropertyValue(property))
        : read(name, () => {
            const value: unknown = Reflect.get(style, name);
            return typeof value === 'function' ? value.bind(style) : value;
          }),
  });
}
