import { z } from 'zod'
import { CHOICES } from '../store/session.js'

/** A person's choice as the page sends it. */
export const choiceSchema = z
  .strictObject({
    choice: z.enum(CHOICES),
    tool: z.string().min(1).max(200).optional(),
    times: z.int().min(1).max(1_000_000).optional(),
    // ten of them are kept, and a session may take 64 KB
    text: z.string().min(1).max(1000).optional(),
  })
  .refine(({ choice, tool }) => choice !== 'allow' || tool !== undefined, 'allow needs a tool')
  .refine(({ choice, text }) => choice !== 'hint' || text !== undefined, 'hint needs a text')
