import { ChevronDown, Download, FileSpreadsheet } from 'lucide-react';
import { toast } from '#web/kit/toasts.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Menu, MenuItem } from '#web/kit/ui/overlays/Menu.tsx';
import { useExport } from './search.data.ts';
import type { Search } from './search-form.ts';

const NOTHING_SELECTED = 'Please select at least one business to export.';

export function ExportMenu({ search, placeIds }: { search: Search; placeIds: string[] }) {
  const exporting = useExport();
  const save = () => {
    if (placeIds.length === 0) toast({ title: NOTHING_SELECTED, tone: 'destructive' });
    else exporting.mutate({ placeIds, search });
  };
  return (
    <Menu
      busy={exporting.isPending}
      trigger={
        <Button variant="secondary" size="sm" busy={exporting.isPending}>
          {!exporting.isPending && <Download aria-hidden="true" />}
          Export
          <ChevronDown aria-hidden="true" />
        </Button>
      }
    >
      <MenuItem onSelect={save}>
        <FileSpreadsheet aria-hidden="true" />
        CSV File
      </MenuItem>
    </Menu>
  );
}
