import { toast } from '#web/kit/toasts.ts';
import { Page } from '#web/kit/ui/Page.tsx';
import { Results } from './Results.tsx';
import { SearchFormCard } from './SearchFormCard.tsx';
import { useSearch } from './search.data.ts';
import { EMPTY_FORM } from './search-form.ts';

export function SearchScreen() {
  const { submitted, query, searching, submit } = useSearch();

  const openPage = (page: number) => {
    if (!submitted) return;
    if (page > submitted.page) return submit({ ...submitted, page, nextPageToken: query.data?.nextPageToken ?? null });
    toast({
      title: 'Back to page 1',
      description: 'The places provider does not support going back to an earlier page.',
    });
    submit({ ...submitted, page: 1, nextPageToken: null });
  };

  return (
    <Page title="Search for Businesses">
      <SearchFormCard
        initial={submitted?.form ?? EMPTY_FORM}
        busy={searching}
        onSearch={(form, search) => submit({ form, search, page: 1, nextPageToken: null })}
      />
      <Results search={submitted?.search} query={query} onPage={openPage} />
    </Page>
  );
}
