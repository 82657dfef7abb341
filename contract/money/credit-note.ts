import { z } from 'zod'
import { line, moment, uuid } from '#contract/fields.ts'

/** What an e-invoicing system numbers a document by; '' = nothing. */
export const officialNumber = z.string()

/** What stands beside the document of an affiliate's invoice: a number of an e-invoicing system, and whether there is an act of services. */
export const beside = { official_number: officialNumber, act: z.boolean() }

/** The number as it is entered, without what nobody sees; `note` = uuid of a credit note of the invoice, null = the invoice itself. */
export const entered = {
  official_number: line(60).overwrite((text) => text.replace(/[\p{Cc}\p{Cf}]/gu, '').trim()),
  note: uuid.nullable().default(null),
}

/** A credit note as both sides read it: what it takes back, below zero what it adds. */
export const creditNote = z.object({
  uuid,
  number: z.string(),
  total: z.string(),
  reason: z.string(),
  at: moment,
  official_number: officialNumber,
})
