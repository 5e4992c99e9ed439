import { findPrograms } from '#server/kit/db/built-in/programs.ts';

// Run once while an image is built, whose files cannot be changed later: links the libraries of the built-in PostgreSQL.
const { folder, major } = await findPrograms();
console.log(`PostgreSQL ${major} in ${folder} is ready`);
