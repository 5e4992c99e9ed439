import { toast } from '#web/kit/toasts.ts';
import { Page } from '#web/kit/ui/Page.tsx';
import { Results } from './Results.tsx';
import { SearchFormCard } from './SearchFormCard.tsx';
import { useSearch } from './search.data.ts';
import { EMPTY_FORM, raiseMaxResults } from './search-form.ts';

export function SearchScreen() {
  const { state, search, query, searching, submit, changeView } = useSearch();
  const { form, page, view } = state;
  const raised = form && raiseMaxResults(form);

  const openPage = (next: number) => {
    if (!form) return;
    if (next > page) return submit(form, next);
    toast({
      title: 'Back to page 1',
      description: 'The places provider does not support going back to an earlier page.',
    });
    submit(form);
  };

  return (
    <Page title="Search for Businesses">
      <SearchFormCard submitted={form ?? EMPTY_FORM} busy={searching} onSearch={submit} />
      <Results
        search={search}
        query={query}
        view={view}
        onViewChange={changeView}
        onPage={openPage}
        raise={raised && { to: raised.maxResults, onRaise: () => submit(raised) }}
      />
    </Page>
  );
}
