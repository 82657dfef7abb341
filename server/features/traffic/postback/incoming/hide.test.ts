import { expect, test } from 'vitest'
import { hide } from './parse.service.ts'

test.each([
  ['as it is', 'a=s3cret-Token&b=1'],
  ['in other letters', 'a=S3CRET-TOKEN&b=1'],
  ['percent-encoded once and twice', 'a=%73%2533cret-token&b=1'],
])('a secret is taken out of what is kept, written %s', (_how, text) => {
  expect(hide(text, ['s3cret-Token'])).toBe('a=***&b=1')
})

test('what holds no secret stays as it is, and so does one beyond ASCII in no other letters', () => {
  expect(hide('a=100%&b=S3CRET', ['s3cret-Token', ''])).toBe('a=100%&b=S3CRET')
  expect(hide('a=таємниця&b=1', ['таємниця'])).toBe('a=***&b=1')
})
