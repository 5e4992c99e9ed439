import type { Page } from '@playwright/test';
import { createImport } from '#contract/import/import-jobs.calls.ts';

/** Uploads a CSV file for an import with chosen columns, as the user who is signed in on the page. */
export async function createImportOf(page: Page, text: string): Promise<string> {
  const buffer = Buffer.from(text);
  const response = await page.request.post(createImport.path, {
    multipart: { file: { name: 'leads.csv', mimeType: 'text/csv', buffer } },
  });
  if (!response.ok()) throw new Error(`the upload failed with ${response.status()}: ${await response.text()}`);
  return createImport.response.parse(await response.json()).id;
}
