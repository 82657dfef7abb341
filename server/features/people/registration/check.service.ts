import { email as emailSchema } from '#contract/fields.ts'
import { registrationSetting } from '#contract/people/registration.ts'
import { getSetting } from '#server/features/network/setting/setting.queries.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { readPhone } from '#server/rules/phone.ts'
import { isEmailTaken, isPhoneTaken } from './registration.queries.ts'

type Found = 'free' | 'taken' | 'malformed' | null
type Asked = { email?: string | undefined; phone?: string | undefined; login?: string | undefined }

/** What somebody types who is about to sign up, looked at field by field. People sign in with their e-mail address: a login is one. */
export async function checkUserData(db: Db, { email, phone, login }: Asked): Promise<Record<keyof Asked, Found>> {
  // nobody signs up: nobody has to know
  if ((await getSetting(db, registrationSetting)).mode === 'closed') return { email: null, phone: null, login: null }
  const [byEmail, byPhone, byLogin] = await Promise.all([checkEmail(db, email), checkPhone(db, phone), checkEmail(db, login)])
  return { email: byEmail, phone: byPhone, login: byLogin }
}

async function checkEmail(db: Db, text: string | undefined): Promise<Found> {
  if (text === undefined) return null
  const { data, success } = emailSchema.safeParse(text)
  if (!success) return 'malformed'
  return (await isEmailTaken(db, data)) ? 'taken' : 'free'
}

async function checkPhone(db: Db, text: string | undefined): Promise<Found> {
  if (text === undefined) return null
  const phone = readPhone(text)
  if (phone === undefined) return 'malformed'
  return (await isPhoneTaken(db, phone)) ? 'taken' : 'free'
}
