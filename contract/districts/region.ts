/** The regions that districts belong to. */
export const REGIONS = [
  'Crown Dependencies',
  'East Midlands',
  'East of England',
  'London',
  'North East England',
  'North West England',
  'Northern Ireland',
  'Scotland',
  'South East England',
  'South West England',
  'Wales',
  'West Midlands',
  'Yorkshire and the Humber',
] as const;
