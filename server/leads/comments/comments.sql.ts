import { and, eq } from 'drizzle-orm';
import type { Db } from '#server/kit/db/db.ts';
import { leadComments } from '#server/schema/leads.ts';
import { users } from '#server/schema/users.ts';

const { id, userBusinessId, text, createdBy, createdAt } = leadComments;
const commentColumns = { id, userBusinessId, text, createdBy, createdAt };

export async function insertComment(tx: Db, values: typeof leadComments.$inferInsert) {
  const [comment] = await tx.insert(leadComments).values(values).returning(commentColumns);
  if (!comment) throw new Error('The insert returned no row');
  return comment;
}

export async function findComment(db: Db, commentId: number) {
  const [comment] = await db.select(commentColumns).from(leadComments).where(eq(id, commentId));
  return comment;
}

/** Whether the comment was still there. */
export async function deleteComment(tx: Db, commentId: number): Promise<boolean> {
  const deleted = await tx.delete(leadComments).where(eq(id, commentId)).returning({ id });
  return deleted.length > 0;
}

/** The holder of the lead and all who commented on it, those of them who can sign in. */
export async function listParticipants(db: Db, lead: { id: number; userId: number }) {
  const columns = { id: users.id, role: users.role };
  const commented = db
    .select(columns)
    .from(leadComments)
    .innerJoin(users, and(eq(users.id, createdBy), eq(users.active, true)))
    .where(eq(userBusinessId, lead.id));
  return db
    .select(columns)
    .from(users)
    .where(and(eq(users.id, lead.userId), eq(users.active, true)))
    .union(commented);
}
