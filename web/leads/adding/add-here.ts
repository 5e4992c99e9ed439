/** Opens the form where the page may ask for the position: most pages are loaded without that permission. */
export function loadToAddHere() {
  const url = new URL(window.location.href);
  if (url.pathname !== '/crm') {
    url.pathname = '/today';
    url.search = '';
  }
  url.searchParams.set('add', 'here');
  window.location.assign(url);
}

/** Whether the page was loaded by the above: the query of its URL without that; undefined if it was not. */
export function takeAddHere(): string | undefined {
  const params = new URLSearchParams(window.location.search);
  if (params.get('add') !== 'here') return undefined;
  params.delete('add');
  const rest = params.toString();
  return rest && `?${rest}`;
}
