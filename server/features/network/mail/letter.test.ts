import { expect, test } from 'vitest'
import { MAIL_EVENT_NAMES } from '#contract/network/mail.ts'
import { generalSetting } from '#contract/network/setting.ts'
import { sampleValues, writeLetter } from './letter.service.ts'
import { MAIL_TEXTS } from './mail-text.ts'

const PANEL = 'https://panel.network.org'
const letter = (event: (typeof MAIL_EVENT_NAMES)[number], language: 'en' | 'uk', contact_email: string) =>
  writeLetter(
    event,
    MAIL_TEXTS[event][language],
    sampleValues(event, language, PANEL),
    { ...generalSetting.defaults, contact_email },
    PANEL,
  )

test('no letter ends in the void: without a contact e-mail it leads to tickets, or the line about it is gone', () => {
  for (const event of MAIL_EVENT_NAMES)
    for (const language of ['en', 'uk'] as const) {
      const [body = ''] = letter(event, language, '').text.split('\n\n-- ')
      expect(body.split('\n').at(-1), `${event} ${language}`).not.toMatch(/:\s*$/)
    }
  expect(letter('registration_rejected', 'en', '').text).not.toContain('write to us')
  expect(letter('registration_approved', 'en', '').text).toContain(`Questions: ${PANEL}/tickets`)
  expect(letter('password_changed', 'uk', '').html).toContain(`${PANEL}/tickets`)
  expect(letter('registration_rejected', 'en', 'help@network.org').text).toContain('write to us: help@network.org')
})
