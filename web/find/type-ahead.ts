let typed = '';
let stop = () => {};

/** Collects what is typed from the moment the palette is opened until its field has the focus. */
export function collectTyped(onEscape: () => void) {
  stop();
  typed = '';
  const collect = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.key === 'Escape') onEscape();
    else if (event.key === 'Backspace') typed = typed.slice(0, -1);
    else if (event.key.length === 1) typed += event.key;
  };
  window.addEventListener('keydown', collect, true);
  stop = () => window.removeEventListener('keydown', collect, true);
}

/** Ends the collection; returns the text. */
export function takeTyped(): string {
  stop();
  const text = typed;
  typed = '';
  return text;
}
