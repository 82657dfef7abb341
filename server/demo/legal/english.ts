import { chapters } from './chapters.ts'

/** What the demo network publishes in English. */
export const ENGLISH = {
  terms: chapters(
    'These terms govern the partnership between Ohma Demo (the network) and whoever registers as an affiliate. By creating an account you accept them.',
    [
      [
        'Registration',
        'You register with true and complete data and keep it up to date. One person or company holds one account. The network may refuse an application without giving reasons, and may ask for documents that show who you are before the first payout.',
      ],
      [
        'Traffic',
        'You send visitors only from the sources you named in your application and only to offers you have access to. Each offer states which sources, countries and devices it takes. What an offer forbids is forbidden also where these terms are silent.',
      ],
      [
        'What is not allowed',
        'Incentivised traffic without the written consent of your manager, bidding on the brand of an advertiser, misleading creatives, spam, cookie stuffing, traffic by malware or botnets, and any attempt to make conversions that no real customer stands behind.',
      ],
      [
        'Tracking',
        'Figures of the network are decisive. A conversion counts once the advertiser has reported it and the network has attributed it to a click of yours. If you see a difference, tell your manager within 30 days with the click ids concerned.',
      ],
      [
        'Payouts',
        'Approved conversions are paid after the hold of their offer. Payouts are made in the currency of your account, weekly or on request, from the minimum stated in your payment settings. Fees of the payment system are borne by you unless agreed otherwise.',
      ],
      [
        'Declined conversions',
        'An advertiser may decline conversions that break the rules of its offer. The network passes on the reason. What was paid and turns out to be fraud is taken off the next payout.',
      ],
      [
        'Suspension',
        'Where there is good reason to suspect fraud the network may pause an account and withhold the balance in question until the matter is settled. You are told why, and heard.',
      ],
      [
        'Ending',
        'Either side may end the partnership at any time with seven days’ notice. What was earned by the rules until then is paid.',
      ],
      [
        'Changes',
        'New versions are published on this page with their date. They hold for the traffic you send after that day; if you do not agree, stop sending traffic and tell us.',
      ],
    ],
  ),
  agreement: chapters('This agreement tells how you use the panel of Ohma Demo: your account, its links and its interfaces.', [
    [
      'Your account',
      'Keep your password to yourself and use a long one. You answer for what is done with your account. Tell us at once if you believe somebody else has access to it.',
    ],
    [
      'Links and interfaces',
      'Click links, postbacks and reports are made for your own campaigns. You may automate them within the limits the panel states; calls beyond them are refused for a while.',
    ],
    [
      'Materials',
      'Landings, creatives and texts belong to the advertisers. You may use them to promote their offers for as long as you have access, and change them only where the offer allows it.',
    ],
    [
      'Confidentiality',
      'Rates, terms and figures you see in the panel are not for the public. You may share them with your own team and your advisers.',
    ],
    [
      'Availability',
      'The network works to keep the panel and the tracking available at all times. Announced maintenance is kept short; clicks are redirected also while the panel is down.',
    ],
    [
      'Liability',
      'The network is liable for intent and gross negligence. For all else liability is limited to the payouts of the last three months.',
    ],
    ['Law', 'The law of the country where the network is registered applies. Disputes are settled by negotiation first.'],
  ]),
  privacy: chapters('We keep as little of you as a partner network needs, and tell you here what that is.', [
    ['Who is responsible', 'Ohma Demo, reachable at hello@ohma.example, decides how and why the data named here is processed.'],
    [
      'What we keep of affiliates',
      'What you type when you register and later: name, contact data, country, payment details. Besides that the addresses and devices you sign in from, and which version of our texts you accepted, with date and time.',
    ],
    [
      'What we keep of visitors',
      'For each click the time, country, device, the marks your link carried, and the network address. Addresses and browser names are cleared after 90 days; single clicks are deleted after 13 months. We set no cookies on visitors.',
    ],
    [
      'Why',
      'To pay for what was earned, to tell real visitors from fraud, and to show figures to those who work with them. We sell nobody’s data.',
    ],
    [
      'Who else sees it',
      'Advertisers see what they need to confirm a conversion. Payment systems see what a transfer takes. Authorities see what the law obliges us to show.',
    ],
    [
      'Your rights',
      'You may see your data, have it corrected or deleted, and object to its use. Write to us; we answer within 30 days. What we must keep by tax law is deleted when that duty ends.',
    ],
  ]),
}
