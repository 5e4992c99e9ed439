/** By touch a card is dragged after a long press: a shorter one scrolls. */
const LONG_PRESS_MS = 250;
/** A mouse that moves less than this clicks; a finger that moves more than this scrolls. */
const TOLERANCE_PX = { mouse: 5, touch: 10 };
/** Near the edge of the board it scrolls to the columns beyond. */
const EDGE_PX = 48;
const SCROLL_PX = 12;

interface Options {
  /** The board, which is scrolled sideways. Its columns have the attribute `data-status`. */
  board: HTMLElement;
  /** The column below the pointer; undefined outside of all. */
  onOver: (status: string | undefined) => void;
  onDrop: (status: string) => void;
}

/** To be called when a pointer goes down on a card: drags it with the mouse, a pen or a finger. Escape puts it back. */
export function dragCard(down: PointerEvent, card: HTMLElement, { board, onOver, onDrop }: Options) {
  const touch = down.pointerType === 'touch';
  const ended = new AbortController();
  const on = (type: string, listener: (event: never) => void) =>
    window.addEventListener(type, listener as EventListener, { signal: ended.signal, passive: false, capture: true });
  let ghost: HTMLElement | undefined;
  let at = { x: down.clientX, y: down.clientY };
  let over: string | undefined;
  let frame = 0;

  const begin = () => {
    ghost = createGhost(card);
    card.dataset.dragged = '';
    board.dataset.dragging = '';
    board.style.scrollSnapType = 'none';
    follow();
  };
  const follow = () => {
    if (!ghost) return;
    ghost.style.translate = `${at.x - down.clientX}px ${at.y - down.clientY}px`;
    const { left, right } = board.getBoundingClientRect();
    if (at.x < left + EDGE_PX) board.scrollLeft -= SCROLL_PX;
    if (at.x > right - EDGE_PX) board.scrollLeft += SCROLL_PX;
    const status = findStatus(at.x, at.y);
    if (status !== over) onOver(status);
    over = status;
    frame = requestAnimationFrame(follow);
  };
  const end = () => {
    ended.abort();
    clearTimeout(timer);
    cancelAnimationFrame(frame);
    ghost?.remove();
    ghost = undefined;
    delete card.dataset.dragged;
    delete board.dataset.dragging;
    board.style.scrollSnapType = '';
    onOver(undefined);
  };
  const timer = touch ? setTimeout(begin, LONG_PRESS_MS) : undefined;

  on('pointermove', ({ clientX, clientY, pointerId, buttons }: PointerEvent) => {
    if (pointerId !== down.pointerId) return;
    // The button was released where no event came from, such as in a menu of the browser.
    if (buttons === 0) return end();
    at = { x: clientX, y: clientY };
    if (ghost) return;
    const distance = Math.hypot(clientX - down.clientX, clientY - down.clientY);
    if (distance <= TOLERANCE_PX[touch ? 'touch' : 'mouse']) return;
    if (touch) end();
    else begin();
  });
  on('pointerup', ({ clientX, clientY, pointerId }: PointerEvent) => {
    if (pointerId !== down.pointerId) return;
    const status = ghost && findStatus(clientX, clientY);
    if (ghost) suppressClick();
    end();
    if (status) onDrop(status);
  });
  on('pointercancel', end);
  on('keydown', (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !ghost) return;
    event.stopPropagation();
    end();
    window.addEventListener('pointerup', suppressClick, { capture: true, once: true });
  });
  // While a card is dragged, the browser would open the menu of a link; before, the menu ends the press.
  on('contextmenu', (event: Event) => (ghost ? event.preventDefault() : end()));
}

/** Browsers heed this only where it listens before the touch begins. */
export function preventScrollWhileDragging(board: HTMLElement) {
  const prevent = (event: Event) => 'dragging' in board.dataset && event.preventDefault();
  board.addEventListener('touchmove', prevent, { passive: false });
  return () => board.removeEventListener('touchmove', prevent);
}

/** Of the column at this point. */
const findStatus = (x: number, y: number) =>
  document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-status]')?.dataset.status;

/** What follows the pointer. */
function createGhost(card: HTMLElement): HTMLElement {
  const { left, top, width, height } = card.getBoundingClientRect();
  const ghost = card.cloneNode(true) as HTMLElement;
  for (const element of [ghost, ...ghost.querySelectorAll('[id]')]) element.removeAttribute('id');
  ghost.inert = true;
  ghost.setAttribute('aria-hidden', 'true');
  ghost.classList.add('pointer-events-none', 'fixed', 'z-menu', 'rotate-2', 'shadow-over');
  Object.assign(ghost.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
  document.body.append(ghost);
  return ghost;
}

/** The click that follows the end of a drag is not one of the card's link. */
function suppressClick() {
  const prevent = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  window.addEventListener('click', prevent, { capture: true, once: true });
  setTimeout(() => window.removeEventListener('click', prevent, { capture: true }), 0);
}
