import { z } from 'zod';
import { configureZodMessages } from '#contract/zod-messages.ts';

// Zod compiles parsers with eval, which the content security policy forbids. Must run before the first schema.
z.config({ jitless: true });
configureZodMessages();
