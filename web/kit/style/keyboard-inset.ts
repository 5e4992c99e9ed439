/**
 * Tells the style sheet how much of the window the keyboard covers, so that dialogs stay above it. On iOS only: elsewhere
 * `interactive-widget` in index.html makes the window itself smaller. Returns a cleanup function.
 */
export function followKeyboard(): () => void {
  const viewport = window.visualViewport;
  if (!viewport) return () => {};
  const root = document.documentElement;
  const update = () => {
    const covered = window.innerHeight - viewport.height - viewport.offsetTop;
    // A page that was zoomed in with two fingers shows less of itself, too.
    const inset = viewport.scale > 1.01 ? 0 : Math.max(0, Math.round(covered));
    const before = root.style.getPropertyValue('--keyboard-inset');
    root.style.setProperty('--keyboard-inset', `${inset}px`);
    // What has become smaller may have hidden the field.
    if (inset > 0 && before !== `${inset}px`) document.activeElement?.scrollIntoView({ block: 'nearest' });
  };
  viewport.addEventListener('resize', update);
  viewport.addEventListener('scroll', update);
  return () => {
    viewport.removeEventListener('resize', update);
    viewport.removeEventListener('scroll', update);
    root.style.removeProperty('--keyboard-inset');
  };
}
