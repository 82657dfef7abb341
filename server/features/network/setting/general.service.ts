import { requireCurrency } from '#server/features/money/currency/currency.service.ts'
import { AppError, type FieldErrors } from '#server/platform/errors.ts'
import { readPicture } from '#server/platform/files/picture.ts'
import type { DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import { getGeneralSettings, type GeneralSettings } from './setting.queries.ts'

type Language = GeneralSettings['language']

/** The picture inside of a data address, as the contract lets it through. */
export function pictureOf(address: string | null): { content: Buffer; contentType: string } | null {
  const [, contentType, data] = /^data:(image\/(?:png|jpeg|webp));base64,(.+)$/.exec(address ?? '') ?? []
  return contentType === undefined || data === undefined ? null : { contentType, content: Buffer.from(data, 'base64') }
}

/** Refuses what the shapes of the general settings cannot tell is wrong. Throws `invalid_input` and `unknown_reference`. */
export async function checkGeneral(trx: Trx, { base_currency, languages, language, logo, favicon }: GeneralSettings): Promise<void> {
  await requireCurrency(trx, base_currency, 'base_currency')
  const fields: FieldErrors = {}
  if (new Set(languages).size < languages.length) fields['languages'] = 'Each only once'
  if (!languages.includes(language)) fields['language'] = 'Choose one of the languages offered'
  for (const [name, picture] of Object.entries({ logo, favicon })) {
    const found = pictureOf(picture)
    // what stood here before somebody looked at pictures is looked at when it is saved again
    if (found !== null && (await readPicture(found.content)) === null)
      fields[name] = 'This is no picture that can be shown: choose a PNG, JPEG or WebP'
  }
  if (Object.keys(fields).length > 0) throw new AppError('invalid_input', { fields })
}

/** Refuses a language the network does not offer. Throws `invalid_input`. */
export async function requireLanguage(db: DbOrTrx, language: Language): Promise<void> {
  if ((await offeredOr(db, language)) !== language)
    throw new AppError('invalid_input', { fields: { language: 'Choose one of the languages offered' } })
}

/** A language somebody reads, where the network offers it, else its default. */
export async function offeredOr(db: DbOrTrx, language: Language): Promise<Language> {
  const offered = await getGeneralSettings(db)
  return offered.languages.includes(language) ? language : offered.language
}
