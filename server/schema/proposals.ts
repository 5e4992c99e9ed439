import { integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type { Details } from '#contract/leads/fields/detail-fields.ts';
import type { FollowUpPlan } from '#contract/leads/follow-ups/follow-up.ts';
import type { LeadStatus } from '#contract/leads/lead.ts';
import type { OwnValues } from '#contract/leads/own-fields/own-field.ts';
import type { ProposedChange, ProposedState } from '#contract/proposals/proposal.ts';
import { id, moment } from '#server/kit/db/columns.ts';

export const proposals = pgTable('proposals', {
  id: uuid().primaryKey().defaultRandom(),
  userId: integer().notNull(),
  program: text().notNull(),
  tokenId: uuid().notNull(),
  reason: text().notNull(),
  fingerprint: text().notNull(),
  createdAt: moment().notNull(),
  expiresAt: moment().notNull(),
  decidedAt: moment(),
});

/** What a program could know of a lead when it proposed to change it. */
export interface LeadState {
  holder: number;
  status: LeadStatus;
  archived: boolean;
  existingCustomer: boolean;
  notesVersion: number;
  tags: string[];
  details: Details;
  ownFields: OwnValues;
  lastContactedAt: string | null;
  nextStep: FollowUpPlan | null;
  phone: string | null;
  website: string | null;
}

export const proposalChanges = pgTable('proposal_changes', {
  id: id(),
  proposalId: uuid().notNull(),
  leadId: integer().notNull(),
  change: jsonb().$type<ProposedChange>().notNull(),
  base: jsonb().$type<LeadState>().notNull(),
  state: text().$type<ProposedState>().notNull().default('open'),
  problem: text(),
});
