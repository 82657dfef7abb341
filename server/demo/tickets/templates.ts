/** What was closed too long ago and taken up again goes on in a new ticket: of which talk, so many days ago, with what words. */
export const TAKEN_UP = {
  of: 0,
  days: 4.5,
  first: 'A second user for our media buyer',
  body: 'Hello again! We have one more buyer now. Same procedure as last time?',
}

/** Answers that staff give often. */
export const TEMPLATES = [
  {
    title: 'Conversions are still checked',
    body: 'Hello {affiliate}!\n\nThe advertiser checks conversions once a week, so those of the last days are still pending. If any is left on Friday, answer here and we will ask for them one by one.\n\n{me}, {network}',
  },
  {
    title: 'Postback: how to try it',
    body: 'Hello {affiliate}!\n\nOpen the postback and press “Try it”: it is sent with made-up values, and you see the address, what your tracker answered and how long it took. Please send us the answer if it isn’t 200.\n\n{me}',
  },
  {
    title: 'Payout: when it comes',
    body: 'Hello {affiliate}!\n\nPayouts leave every Tuesday for the balance of the Sunday before, from 50 USD on. Banks take up to three working days.\n\n{me}, {network}',
  },
  {
    title: 'Доступ: розкажіть про трафік',
    body: 'Вітаємо, {affiliate}!\n\nЩоб відкрити доступ до «{offer}», розкажіть, будь ласка, про джерела, приблизний обсяг на день і креативи.\n\n{me}, {network}',
  },
] as const
