import type { ticketInput } from '#contract/network/ticket.ts'
import type { z } from 'zod'
import type { DemoFile } from './files.ts'

type Input = z.output<typeof ticketInput>

/** Something said or done: who, so many hours after what was before it, the words, and a file. */
export type Step = readonly [
  who: 'them' | 'us' | 'note' | 'shut' | 'work' | 'approve' | 'reject',
  hours: number,
  body?: string,
  file?: DemoFile,
]

/** A ticket of the demo: of which affiliate, how many days ago it was opened, and what was said. */
export type Talk = {
  of: number
  days: number
  subject: string
  about: Input['category']
  how?: Input['priority']
  steps: readonly Step[]
  /** Who of staff answers, where it isn't the affiliate's manager. */
  by?: 'admin' | 'head'
  /** To whom it is given, or to nobody; to who answers first where nothing is said and somebody has answered. */
  to?: 'admin' | 'head' | 'nobody'
  /** The other side has not read what was said last. */
  unread?: true
}

const talk = (of: number, days: number, about: Talk['about'], subject: string, steps: readonly Step[], more: Partial<Talk> = {}): Talk => ({
  of,
  days,
  about,
  subject,
  steps,
  ...more,
})

/** What the first affiliate, whose login is printed, and the accounts of the same manager wrote. */
export const FIRST_TALKS: readonly Talk[] = [
  talk(0, 52, 'general', 'A second user for our media buyer', [
    ['them', 0, 'Hello! Can our media buyer have a login of her own, so that we do not share one password?'],
    [
      'us',
      3,
      'Hi! Each account has one login for now. Please do not share it: open a second account for her and tell me its number, I will move the links over.',
    ],
    ['them', 5, 'Done, it is approved already. Thank you!'],
    ['us', 1, 'All links are moved. Good luck!'],
    ['shut', 0.1],
  ]),
  talk(
    0,
    24,
    'finance',
    'Payout to a new bank account',
    [
      ['them', 0, 'We changed the bank. The letter with the new details is attached, please use them from the next payout on.', 'letter'],
      ['note', 2, 'Called the number we have on file, the owner confirmed the change.'],
      ['us', 0.5, 'Thank you, I have checked the letter. The new details are used from the next payout on.'],
      ['them', 4, 'Great, thanks.'],
      ['shut', 2],
    ],
    { by: 'head', how: 'high' },
  ),
  talk(0, 9, 'technical', 'Postback reaches our tracker twice', [
    [
      'them',
      0,
      'Since Tuesday each conversion comes in twice, with the same click id but two different statuses. See the log of ten of them.',
      'log',
    ],
    [
      'us',
      1.2,
      'You have two postbacks without a status chosen: one tells of pending, the other of approved. Choose “Approved only” in the second and it will stop. Shall I do it for you?',
    ],
    ['them', 2, 'No need, found it. Now it is once each. Could you leave this open until tomorrow, I want to look at the night?'],
    ['work', 0.3],
  ]),
  talk(
    0,
    3,
    'finance',
    'Conversions of the weekend still pending',
    [
      [
        'them',
        0,
        'Hi, 38 leads of the weekend are pending while those of Monday are approved already. When will they be checked?',
        'chart',
      ],
      ['note', 1, 'The advertiser checks weekends on Wednesdays. Asked them to hurry, they answered “today”.'],
      [
        'us',
        0.4,
        'The advertiser checks what came on a weekend by Wednesday evening. If any is still pending on Thursday, write here and I will ask them one by one.',
      ],
    ],
    { unread: true },
  ),
  talk(
    0,
    0.4,
    'technical',
    'New landing loads slowly on mobile',
    [
      [
        'them',
        0,
        'The second landing needs about six seconds on 4G, the first one two. Can somebody look? We paused the ads meanwhile.',
        'chart',
      ],
    ],
    { how: 'urgent', unread: true },
  ),
  talk(
    0,
    1.3,
    'offer_request',
    'Access to one more offer',
    [
      [
        'them',
        0,
        'We would like to run this one with the same sources as before: Facebook and Google, own creatives, up to 60 leads a day.',
      ],
    ],
    { unread: true },
  ),
  talk(
    4,
    38,
    'technical',
    'Не приходять конверсії з TikTok',
    [
      ['them', 0, 'Добрий день! Кліки є, конверсій нуль з учорашнього дня. На інших джерелах усе гаразд.'],
      [
        'us',
        2,
        'Вітаю! У посиланні макрос `sub1` записано кирилицею, тому значення приходить порожнім. Скопіюйте посилання зі сторінки пропозиції ще раз.',
      ],
      ['them', 1, 'Точно! Замінили, конверсії пішли. Дякую!'],
      ['shut', 3],
    ],
    { how: 'high' },
  ),
  talk(
    4,
    16,
    'finance',
    'Акт за минулий місяць',
    [
      ['them', 0, 'Надішліть, будь ласка, акт за минулий місяць, бухгалтерія чекає.'],
      ['us', 20, 'Акт у вкладенні. Підпишіть його, будь ласка, і надішліть скан сюди.', 'letter'],
      ['them', 30, 'Підписали.', 'letter'],
      ['shut', 5],
    ],
    { by: 'head' },
  ),
  talk(
    20,
    2,
    'offer_request',
    'Доступ до пропозиції',
    [
      ['them', 0, 'Хочемо спробувати цю пропозицію в TikTok. Маємо 12 роликів, можемо показати до запуску.'],
      ['us', 3, 'Покажіть, будь ласка, два-три ролики: рекламодавець затверджує їх заздалегідь.'],
      ['them', 2, 'Надсилаю кадри з трьох перших.', 'chart'],
    ],
    { unread: true },
  ),
  talk(
    8,
    30,
    'general',
    'Which creatives are allowed?',
    [
      ['them', 0, 'May we use the advertiser’s logo in our banners?'],
      ['us', 6, 'Yes, as it is on the offer’s page, without changes and not next to a competitor’s.'],
      ['shut', 40],
    ],
    { how: 'low' },
  ),
  talk(
    8,
    5,
    'technical',
    'Can we have clicks by e-mail campaign?',
    [
      ['them', 0, 'We put the campaign into sub2 but don’t see it in the report.'],
      ['us', 0.8, 'Open Statistics and choose “Sub 2” as a grouping, then save it as a view. It will be there next time.'],
    ],
    { how: 'low' },
  ),
  talk(12, 12, 'offer_request', 'Доступ до ще однієї пропозиції', [
    ['them', 0, 'Працюємо з пошуком і SEO, без брендових запитів. Обсяг – до 30 лідів на день.'],
    ['note', 1, 'Якісний трафік, апрув 71 % за місяць. Пускаємо.'],
    ['approve', 0.2, 'Доступ відкрито. Брендові запити заборонено, ліміт – 30 на день.'],
  ]),
  talk(
    12,
    0.8,
    'finance',
    'Курс гривні у виплаті',
    [['them', 0, 'За яким курсом перераховано виплату від 18-го? У нас виходить на 214 грн більше.']],
    { to: 'nobody', unread: true },
  ),
  talk(16, 21, 'technical', 'Deep links lose the city', [
    ['them', 0, 'Our deep links end on the start page instead of the page of the city.'],
    ['us', 4, 'The address has to be encoded once; yours is encoded twice. Use the builder on the offer’s page, it does so by itself.'],
    ['them', 3, 'Works now.'],
    ['shut', 1],
  ]),
  talk(
    20,
    0.15,
    'general',
    'We would like to meet at the conference',
    [['them', 0, 'Are you in Lisbon next week? We would like to talk about higher caps for Kazakhstan.']],
    { how: 'low', unread: true },
  ),
]

/** What the accounts of other managers wrote. */
export const OTHER_TALKS: readonly Talk[] = [
  talk(
    1,
    45,
    'finance',
    'Invoice without VAT',
    [
      ['them', 0, 'Our last invoice shows VAT, but we are within the EU with a valid number. Please correct it.'],
      ['us', 5, 'You are right, reverse charge applies. The corrected invoice is attached.', 'letter'],
      ['them', 2, 'Perfect, thank you.'],
      ['shut', 0.5],
    ],
    { by: 'head' },
  ),
  talk(
    19,
    18,
    'offer_request',
    'Access for search traffic',
    [
      ['them', 0, 'Search only, exact match, no brand terms. 40 to 50 leads a day from the first week.'],
      ['approve', 6, 'Welcome. The first 20 leads are checked by hand, please give us two days for them.'],
    ],
    { by: 'admin', to: 'admin' },
  ),
  talk(
    1,
    1.1,
    'technical',
    'Daily cap was full at noon',
    [
      ['them', 0, 'The cap of 100 was full at 12:10 today, everything after it was declined. Can it be raised to 160 until Friday?'],
      ['note', 0.6, 'The advertiser agrees to 150. Waiting for it in writing.'],
      ['work', 0.1],
    ],
    { by: 'admin', how: 'urgent', to: 'admin' },
  ),
  talk(
    2,
    27,
    'technical',
    'Push clicks are filtered as bots',
    [
      ['them', 0, 'About 9% of our push clicks are filtered since Friday. A sample is attached.', 'log'],
      [
        'us',
        3,
        'They come from two data centres, not from phones: the subscription source 7714 was sold by somebody. Stop it and the share will fall to what it was.',
      ],
      ['them', 22, 'Stopped 7714, we are at 1.2% again. Good catch.'],
      ['shut', 1],
    ],
    { how: 'urgent' },
  ),
  talk(
    2,
    6,
    'finance',
    'Minimum payout in USDT',
    [
      ['them', 0, 'Can we be paid in USDT weekly, and what is the minimum?'],
      [
        'us',
        7,
        'Yes. The minimum is 200 USDT, and the wallet has to be confirmed once. Send me its address from the e-mail of your account.',
      ],
    ],
    { unread: true },
  ),
  talk(
    2,
    0.6,
    'general',
    'Sick leave of our account manager',
    [['them', 0, 'Daria is away for two weeks, please write to ops@clickstream.example meanwhile.']],
    { how: 'low', to: 'head', unread: true },
  ),
  talk(3, 14, 'general', 'Terms: for how long can differences be reported?', [
    ['them', 0, 'The new terms say 45 days. Does that hold for conversions before the change?'],
    ['us', 26, 'Yes, for everything that was not paid out on the day they were published.'],
    ['shut', 60],
  ]),
  talk(
    16,
    7,
    'offer_request',
    'Access for our Facebook group',
    [
      ['them', 0, 'We have an comparison group of 80,000 members on Facebook and would post twice a week.'],
      ['reject', 9, 'The advertiser takes no traffic from groups. If you run paid campaigns, ask again and name them.'],
    ],
    { by: 'admin' },
  ),
  talk(
    3,
    1.6,
    'technical',
    'Wrong country in the report',
    [['them', 0, 'Some of our Polish clicks are shown as German. They come from one mobile operator.', 'chart']],
    { to: 'admin', unread: true },
  ),
  talk(
    5,
    33,
    'finance',
    'Where is the payout of the 15th?',
    [
      ['them', 0, 'It has not arrived yet.'],
      ['us', 2, 'The transfer left on the 16th; the 15th was a holiday here. The bank’s confirmation is attached.', 'letter'],
      ['them', 28, 'It is here. Thanks!'],
      ['shut', 2],
    ],
    { by: 'head', how: 'high' },
  ),
  talk(5, 4, 'technical', 'SubID longer than 100 signs', [
    ['them', 0, 'Our tracker sends a token of 140 signs in sub3, it comes back cut. Can the limit be raised?'],
    ['note', 2, 'It cannot. A shorter token in ad_id would do.'],
    ['us', 0.5, 'Each sub holds a hundred signs. Send the token as `ad_id` instead, it is given back in the postback as it came.'],
  ]),
  talk(
    6,
    11,
    'technical',
    'Pops: back button opens the offer again',
    [
      ['them', 0, 'Users who go back land on the offer a second time, and each is counted. Is this wanted?'],
      ['us', 4, 'They are counted as repeated clicks and don’t touch your rate: see “Unique clicks” in the report.'],
      ['them', 1, 'Ah, I looked at all of them. Clear now.'],
      ['shut', 0.2],
    ],
    { how: 'low' },
  ),
  talk(
    21,
    2.2,
    'offer_request',
    'Access for our push base',
    [
      ['them', 0, 'Push, tier 3, own base of 1.1 million. Please let us in, we can start today.'],
      ['note', 1, 'Approval rate of the last month was 22%. Ask the head first.'],
    ],
    { how: 'high', to: 'head', unread: true },
  ),
  talk(
    7,
    8,
    'finance',
    'Scrubbed leads',
    [
      ['them', 0, '61 of 140 leads were declined as “duplicate”. We don’t believe it. Ids are attached.', 'log'],
      [
        'us',
        5,
        'I have sent the list to the advertiser and asked for the time of the first lead of each. They answer within three working days.',
      ],
      ['work', 0.1],
    ],
    { how: 'high' },
  ),
  talk(7, 0.25, 'finance', 'Payout held back?', [['them', 0, 'The panel says “on hold” for 1,240 USD. Why?']], {
    how: 'urgent',
    by: 'head',
    to: 'head',
    unread: true,
  }),
  talk(
    9,
    19,
    'general',
    'Landing pages in French for Québec',
    [
      ['them', 0, 'Do you have pages in Canadian French? The ones from France don’t convert here.'],
      ['us', 30, 'Two advertisers have them now; they are marked “fr-CA” among the landings.'],
      ['shut', 10],
    ],
    { how: 'low' },
  ),
  talk(
    9,
    5.5,
    'offer_request',
    'Access for non-brand search',
    [
      ['them', 0, 'Search campaigns on non-brand terms in Canada and the US, 5,000 CAD a month.'],
      ['approve', 20, ''],
    ],
    { by: 'admin' },
  ),
  talk(10, 13, 'technical', 'Short links for influencers', [
    ['them', 0, 'The links are too long for stories. Can we use our own domain?'],
    ['us', 8, 'You can: point it to our tracker by a CNAME and tell me its name, I switch it on.'],
    ['them', 50, 'go.copacabana.example is pointed.'],
    ['work', 3],
  ]),
  talk(
    10,
    2.7,
    'finance',
    'Payout by Pix',
    [
      ['them', 0, 'Is Pix possible? Fees of transfers from abroad eat 4%.'],
      ['us', 9, 'Not yet, we are looking for a partner in Brazil. I will tell you as soon as there is one.'],
    ],
    { how: 'low', unread: true },
  ),
  talk(
    11,
    22,
    'offer_request',
    'Access for native traffic',
    [
      ['them', 0, 'Taboola and own publishers, pre-landers approved by a lawyer.'],
      ['reject', 15, 'The advertiser has enough native in your country until the end of the quarter.'],
    ],
    { by: 'admin', how: 'low' },
  ),
  talk(
    11,
    0.7,
    'technical',
    'API: 401 since this morning',
    [
      ['them', 0, 'Our script gets 401 for every call since 9:00. The token is the same as yesterday.'],
      [
        'us',
        0.3,
        'The token ended with the session it belongs to. Sign in again and use the new one; tokens for scripts that last come later this year.',
      ],
    ],
    { how: 'urgent', unread: true },
  ),
  talk(
    13,
    10,
    'finance',
    'Change of the company’s name',
    [
      ['them', 0, 'We are now Turku Traffic Group Oy, the number stays the same. Extract attached.', 'letter'],
      ['us', 26, 'Changed. The next invoice has the new name.'],
      ['shut', 20],
    ],
    { by: 'head' },
  ),
  talk(
    14,
    3.4,
    'general',
    'Higher payout from 500 leads a month',
    [
      ['them', 0, 'We sent 620 leads last month with 68% approved. Can we talk about the payout?'],
      ['note', 5, 'Margin allows 8%. The head decides.'],
      ['us', 1, 'Thank you for the quality! I have asked for a better payout and answer by Friday.'],
      ['work', 0.1],
    ],
    { how: 'high' },
  ),
  talk(
    15,
    1.9,
    'offer_request',
    'Access for weekly push',
    [['them', 0, 'Push with weekly changed creatives, 200 leads a day if the cap allows.']],
    { to: 'nobody', unread: true },
  ),
  talk(
    17,
    0.1,
    'technical',
    'Coupon code isn’t counted',
    [['them', 0, 'Two buyers with our code SUN10 yesterday, no conversion for either. Order numbers are in the file.', 'log']],
    { unread: true },
  ),
  talk(
    19,
    29,
    'general',
    'How long is a click valid?',
    [
      ['them', 0, 'Readers decide slowly. For how long after a click do we get the sale?'],
      ['us', 12, 'Each offer says so under “Click lifetime”; most have 30 days.'],
      ['shut', 30],
    ],
    { how: 'low' },
  ),
]

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
