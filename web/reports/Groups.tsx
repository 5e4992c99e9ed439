import { addsUp, GROUP_LABEL, type GroupBy, makesGroups, reportGroup, toOwnGroup } from '#contract/reports/group.ts';
import type { Viewer } from '#contract/users/user.ts';
import { SelectField } from '#web/kit/ui/forms/Select.tsx';
import { useOwnFields } from '#web/settings/own-fields.data.ts';
import { CsvButton } from './CsvButton.tsx';
import { GONE_FIELD_LABEL, GroupTable, labelGroup } from './GroupTable.tsx';
import { ReportPart } from './ReportPart.tsx';
import type { ReportState } from './report-state.ts';
import { useGroups } from './reports.data.ts';

interface Props {
  state: ReportState;
  viewer: Viewer;
  onChange: (change: Partial<ReportState>) => void;
}

/** The steps of the funnel by person, type, district, source, tag or week. */
export function Groups({ state, viewer, onChange }: Props) {
  const groups = useGroups(state);
  // There is one person only.
  const builtIn = reportGroup.options.filter((by) => by !== 'person' || state.person === undefined);
  const fields = useOwnFields();
  const { by, sum } = state;
  // An archived field is only offered where it is chosen.
  const own = fields.filter((field) => makesGroups(field) && (!field.archived || by === toOwnGroup(field)));
  const added = fields.filter((field) => addsUp(field) && (!field.archived || sum === field.id));
  const label = labelGroup(by, fields);
  const options: { value: GroupBy; label: string }[] = [
    ...builtIn.map((value) => ({ value, label: GROUP_LABEL[value] })),
    ...own.map((field) => ({ value: toOwnGroup(field), label: field.name })),
  ];
  if (!options.some(({ value }) => value === by)) options.push({ value: by, label });
  return (
    <ReportPart
      title="Comparison"
      wide
      query={groups}
      controls={
        <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
          <div className="flex flex-wrap gap-x-4 gap-y-2">
            <SelectField
              className="max-w-56"
              label="Compare by"
              options={options}
              value={by}
              // The value is one of the options above.
              onChange={({ target }) => onChange({ by: target.value as GroupBy })}
            />
            {(added.length > 0 || sum !== undefined) && (
              <SelectField
                className="max-w-56"
                label="Add up"
                options={[
                  { value: '', label: 'Nothing' },
                  ...added.map(({ id, name }) => ({ value: String(id), label: name })),
                  ...(sum && !added.some(({ id }) => id === sum)
                    ? [{ value: String(sum), label: GONE_FIELD_LABEL }]
                    : []),
                ]}
                value={String(sum ?? '')}
                onChange={({ target }) => onChange({ sum: target.value ? Number(target.value) : undefined })}
              />
            )}
          </div>
          <CsvButton table={by} of={`the table by ${label.toLowerCase()}`} state={state} />
        </div>
      }
    >
      {(report) => <GroupTable report={report} state={state} viewer={viewer} fields={fields} onChange={onChange} />}
    </ReportPart>
  );
}
