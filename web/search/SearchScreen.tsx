import { toast } from '#web/kit/toasts.ts';
import { Page } from '#web/kit/ui/Page.tsx';
import { Results } from './Results.tsx';
import { SearchFormCard } from './SearchFormCard.tsx';
import { useSearch } from './search.data.ts';
import { EMPTY_FORM } from './search-form.ts';

export function SearchScreen() {
  const { asked, found, searching, ask } = useSearch();

  const turn = (page: number) => {
    if (!asked) return;
    if (page > asked.page) return ask({ ...asked, page, nextPageToken: found.data?.nextPageToken ?? null });
    toast({
      title: 'Back to page 1',
      description: 'The places provider does not support going back to an earlier page.',
    });
    ask({ ...asked, page: 1, nextPageToken: null });
  };

  return (
    <Page title="Search for Businesses">
      <SearchFormCard
        initial={asked?.form ?? EMPTY_FORM}
        busy={searching}
        onSearch={(form, search) => ask({ form, search, page: 1, nextPageToken: null })}
      />
      <Results search={asked?.search} found={found} onPage={turn} />
    </Page>
  );
}
