import type { Sweep, SweepEstimate, SweepResult } from '#contract/sweeps/sweep.ts';
import { ada } from './fixtures.ts';

/** A sweep of Ada over two areas, which is done. */
export const aSweep = (sweep: Partial<Sweep> = {}): Sweep => ({
  id: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff',
  businessType: 'Hairdresser',
  keyword: null,
  places: ['WF', 'LS'],
  provider: 'google',
  state: 'done',
  stopping: false,
  startedBy: ada.fullName,
  createdAt: '2026-03-04T12:00:00.000Z',
  finishedAt: '2026-03-04T12:05:00.000Z',
  message: null,
  districts: { total: 46, done: 46, failed: 0 },
  found: 900,
  results: 640,
  calls: 138,
  canContinue: false,
  ...sweep,
});

export const anEstimate = (estimate: Partial<SweepEstimate> = {}): SweepEstimate => ({
  provider: 'google',
  districts: 46,
  unknown: [],
  calls: 138,
  paidCalls: 138,
  quota: { cap: 900, used: 100, left: 800 },
  daily: null,
  seconds: 92,
  notReady: null,
  ...estimate,
});

export const aResult = (n: number, result: Partial<SweepResult> = {}): SweepResult => ({
  businessId: n,
  name: `Salon ${n}`,
  address: `${n} High Street, Leeds LS1 2AB`,
  phone: '01632 960001',
  objections: [],
  website: 'https://salon.example/',
  district: 'LS1',
  status: 'new',
  looksLike: null,
  ...result,
});
