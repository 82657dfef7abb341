import { expect, test } from 'vitest'
import { contactLink, type ContactKind } from '#web/kit/show/contact-link.ts'

test.each<[ContactKind, string, string | undefined]>([
  ['skype', 'live:olena', 'skype:live%3Aolena?chat'],
  ['telegram', '@olena', 'https://t.me/olena'],
  ['telegram', 'https://t.me/olena/', 'https://t.me/olena'],
  ['email', 'olena+ads@example.com', 'mailto:olena%2Bads@example.com'],
  ['email', 'nonsense', undefined],
  ['linkedin', 'https://www.linkedin.com/in/olena-k/?x=1', 'https://www.linkedin.com/in/olena-k'],
  ['linkedin', 'olena-k', 'https://www.linkedin.com/in/olena-k'],
  ['telegram', 'javascript:alert(1)', 'https://t.me/javascript%3Aalert(1)'],
  ['telegram', '  ', undefined],
])('%s "%s" opens %s', (kind, text, address) => {
  expect(contactLink(kind, text)).toBe(address)
})
