import { boolean, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import type { FieldChoice } from '#contract/leads/own-fields/field-type.ts';
import type { FieldTypeKey } from '#contract/leads/own-fields/field-types.ts';
import { id } from '#server/kit/db/columns.ts';

export type OwnFieldState = 'active' | 'archived' | 'deleting';

export const ownFields = pgTable('own_fields', {
  id: id(),
  name: text().notNull(),
  type: text().$type<FieldTypeKey>().notNull(),
  help: text().notNull().default(''),
  unit: text().notNull().default(''),
  choices: jsonb().$type<FieldChoice[]>().notNull().default([]),
  requiredToWin: boolean().notNull().default(false),
  inProfile: boolean().notNull().default(true),
  inTable: boolean().notNull().default(true),
  onCard: boolean().notNull().default(false),
  inForm: boolean().notNull().default(false),
  position: integer().notNull(),
  state: text().$type<OwnFieldState>().notNull().default('active'),
});
