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

/** By the above, and by a shortcut of the installed app. */
const REQUESTS = ['here', 'business'];

/** Whether the page was loaded to add a business: the query of its URL without that, and whether to ask for the position. */
export function takeAddRequest(): { search: string; locate: boolean } | undefined {
  const params = new URLSearchParams(window.location.search);
  const add = params.get('add') ?? '';
  if (!REQUESTS.includes(add)) return undefined;
  params.delete('add');
  const rest = params.toString();
  return { search: rest && `?${rest}`, locate: add === 'here' };
}
