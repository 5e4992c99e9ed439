import { useMutation, useQueryClient } from '@tanstack/react-query';
import { bulkAddTag, bulkRemoveTag } from '#contract/leads/bulk/bulk.calls.ts';
import { DETAIL_OF_COLUMN, type DetailColumn, isDetailColumn } from '#contract/leads/fields/detail-fields.ts';
import { IMPORTED_TAG, type Lead, type LeadStatus } from '#contract/leads/lead.ts';
import type { ListedLead } from '#contract/leads/lead-lists.calls.ts';
import {
  changeCustomFields,
  changeLeadStatus,
  changeOwnValues,
  changePhone,
  changeWebsite,
} from '#contract/leads/leads.calls.ts';
import type { OwnValue } from '#contract/leads/own-fields/field-type.ts';
import { type OwnField, readValue } from '#contract/leads/own-fields/own-field.ts';
import { newUuid, send } from '#web/kit/api.ts';
import { DETAIL_VIEWS } from '#web/leads/lead-field-views.tsx';
import { patchLeadInCache, refetchLeads } from '#web/leads/leads.data.ts';
import { toOwnValueConflict } from '#web/leads/own-value-conflict.ts';
import { undoByToast } from '#web/leads/undo.data.ts';
import { dispatchStatusChanged } from '#web/progress/progress.data.ts';

type WorkingColumn = 'status' | 'tags' | 'phone' | 'website';
/** One of the team's own is its field. */
export type EditableColumn = WorkingColumn | DetailColumn | OwnField;

interface CellChange {
  item: ListedLead;
  column: EditableColumn;
  value: string;
  /** Of one of the team's own: what is replaced. */
  before?: OwnValue | null;
}

const DONE: Record<WorkingColumn, string> = {
  status: 'Status updated',
  tags: 'Tags updated',
  phone: 'Phone updated',
  website: 'Website updated',
};

function toSuccess(column: EditableColumn): string {
  if (typeof column === 'object') return `${column.name} updated`;
  return isDetailColumn(column) ? DETAIL_VIEWS[DETAIL_OF_COLUMN[column]].toasts.success : DONE[column];
}

/** Saves a cell that was edited in the table. */
export function useSaveCell() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (change: CellChange) => ({ change, response: await saveCell(change) }),
    onSuccess: ({ change, response }) => {
      if (change.column === 'status') dispatchStatusChanged();
      // These respond with the lead.
      const { column } = change;
      if (column === 'status' || typeof column === 'object' || isDetailColumn(column)) {
        patchLeadInCache(queries, response as Lead);
      }
    },
    // Not awaited: the field closes at once.
    onSettled: () => void refetchLeads(queries),
    meta: {
      success: ({ change }: { change: CellChange }) => toSuccess(change.column),
      undo: ({ response }: { response: object }) => undoByToast(queries)(response),
      errorTitle: 'Failed to save',
    },
  });
}

async function saveCell({
  item: { userBusiness: lead, business },
  column,
  value,
  before = null,
}: CellChange): Promise<object> {
  const params = { id: lead.id };
  if (typeof column === 'object') {
    const read = readValue(column, value);
    if ('error' in read) throw new Error(read.error);
    const body = { values: { [column.id]: read.value }, before: { [column.id]: before } };
    return send(changeOwnValues.byId, { params, body }).catch((error: unknown) => {
      throw toOwnValueConflict(error, column);
    });
  }
  if (isDetailColumn(column)) {
    const customFields = { [DETAIL_OF_COLUMN[column]]: value };
    return send(changeCustomFields.byId, { params, body: { customFields } });
  }
  switch (column) {
    case 'status':
      // The value is one of the options of the cell.
      return send(changeLeadStatus.byId, { params, body: { status: value as LeadStatus } });
    case 'phone':
      return send(changePhone, { params: { businessId: business.id }, body: { phone: value } });
    case 'website':
      return send(changeWebsite, { params: { businessId: business.id }, body: { website: value } });
    case 'tags':
      return saveTags(lead.id, lead.tags, value);
  }
}

/** Each tag is a request of its own; together they are one batch of changes. */
async function saveTags(id: number, tags: string[], value: string): Promise<object> {
  const wanted = [...new Set(value.split(',').map((tag) => tag.trim()))].filter(Boolean);
  const current = tags.filter((tag) => tag !== IMPORTED_TAG);
  const batch = newUuid();
  let last: object = {};
  const sendTag = async (call: typeof bulkAddTag | typeof bulkRemoveTag, tag: string) => {
    const response = await send(call, { body: { ids: [id], batch, tag } });
    const [error] = response.results.errors;
    if (error) throw new Error(error.message);
    last = response;
  };
  for (const tag of current) if (!wanted.includes(tag)) await sendTag(bulkRemoveTag, tag);
  for (const tag of wanted) if (!current.includes(tag)) await sendTag(bulkAddTag, tag);
  return last;
}
