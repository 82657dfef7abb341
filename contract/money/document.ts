import { z } from 'zod'

/** What documents are written in. */
export const DOCUMENT_LANGUAGES = ['en', 'uk', 'both'] as const
export const documentLanguage = z.enum(DOCUMENT_LANGUAGES)
export type DocumentLanguage = z.output<typeof documentLanguage>
