import { z } from 'zod';
import { configureZodMessages } from '#contract/zod-messages.ts';

// Zod would compile its parsers, which the content security policy forbids. It must hear of it before the first schema.
z.config({ jitless: true });
configureZodMessages();
