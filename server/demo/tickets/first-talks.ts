import { talk, type Talk } from './talk.ts'

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
