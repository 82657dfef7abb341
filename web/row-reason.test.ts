import { expect, test } from 'vitest'
import { POSTBACK_REFUSALS } from '#contract/traffic/postback-outcome.ts'
import { refusalIn } from '#web/row-reason.ts'

test('every refusal of a postback is told from its sentence, with what it adds in brackets', () => {
  for (const [code, { text }] of Object.entries(POSTBACK_REFUSALS)) {
    expect(refusalIn(text)).toEqual({ code, detail: '' })
    expect(refusalIn(`${text} (ftd=0)`)).toEqual({ code, detail: ' (ftd=0)' })
  }
  expect(refusalIn('There is no such conversion.')).toBeNull()
})
