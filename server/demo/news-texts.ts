import type { NewsInput } from '#contract/network/news.ts'
import { seasonOf } from './season.ts'

type Text = { title: string; text: string }
const NONE: Text = { title: '', text: '' }

/** One of the demo. `days`: how long it has been out, or, below zero, until it comes out. `hue`: the colour of its cover; none without. */
export type DemoNews = {
  days: number
  en: Text
  uk: Text
  hue?: number
  state?: 'draft' | 'archived'
} & Partial<Pick<NewsInput, 'roles' | 'geos' | 'tags' | 'pinned'>>

const told = (title: string, ...paragraphs: string[]): Text => ({ title, text: paragraphs.map(block).join('') })
const block = (one: string) => (one.startsWith('<') ? one : `<p>${one}</p>`)
const list = (...items: string[]) => `<ul>${items.map((one) => `<li><p>${one}</p></li>`).join('')}</ul>`

/** What the demo network has told its people, the oldest first. */
export function demoNews(now: number): readonly DemoNews[] {
  const { sale } = seasonOf(now)
  return [
    {
      days: 54,
      hue: 212,
      en: told(
        'Welcome to Ohma Demo',
        'This is where we tell you what is new: offers, terms, and days on which we answer later than usual.',
        '<h3>Three things to do first</h3>',
        list(
          'Ask for access to two or three offers that fit your traffic.',
          'Set your postback, and send yourself a test conversion.',
          'Say hello to your manager: the contacts are on your dashboard.',
        ),
      ),
      uk: told(
        'Вітаємо в Ohma Demo',
        'Тут ми розповідаємо, що нового: офери, умови та дні, коли відповідатимемо довше, ніж зазвичай.',
        '<h3>З чого почати</h3>',
        list(
          'Запросіть доступ до двох-трьох оферів, які підходять вашому трафіку.',
          'Налаштуйте свій постбек і надішліть собі тестову конверсію.',
          'Напишіть своєму менеджеру: його контакти є в «Огляді».',
        ),
      ),
    },
    {
      days: 47,
      state: 'archived',
      en: told(
        'Short maintenance on Sunday night',
        'Reports may be up to ten minutes late between 02:00 and 03:00, Kyiv time. Clicks are not affected.',
      ),
      uk: NONE,
    },
    {
      days: 41,
      roles: ['affiliate'],
      en: told(
        'Payments twice a week',
        'From now on we pay on <strong>Mondays and Thursdays</strong>. Requests that reach us by noon, Kyiv time, leave the same day.',
      ),
      uk: told(
        'Виплати двічі на тиждень',
        'Відтепер ми платимо <strong>щопонеділка та щочетверга</strong>. Запити, які надійшли до полудня за Києвом, виплачуємо того ж дня.',
      ),
    },
    {
      days: 33,
      tags: ['fraud'],
      en: told(
        'About the quality of your traffic',
        'Many of your recent clicks came from hosting networks, and advertisers declined what came of them. Please tell your manager where you buy this traffic before you send more.',
      ),
      uk: NONE,
    },
    {
      days: 26,
      geos: ['DE', 'AT', 'CH'],
      en: told(
        'Finova Bank: what may be said in DACH',
        'The bank has sent new rules for advertising its account:',
        list(
          'No promises of a credit without a check.',
          'No use of the bank’s name in search ads.',
          'The fee must be named wherever the bonus is.',
        ),
        'Pages that break them lose access, so please look through yours this week.',
      ),
      uk: NONE,
    },
    {
      days: 19,
      roles: ['admin', 'head', 'manager', 'team lead'],
      en: told(
        'How we answer tickets',
        'Within two hours on working days, and never without a next step. If you need the advertiser first, say so and say until when.',
      ),
      uk: told(
        'Як ми відповідаємо на тікети',
        'Протягом двох годин у робочі дні, і щоразу з наступним кроком. Якщо спершу треба спитати рекламодавця, так і напишіть, і вкажіть, до якого часу.',
      ),
    },
    {
      days: 12,
      hue: 28,
      tags: ['vip'],
      en: told(
        'For our best partners: a higher payout on Northloft',
        'Until the end of next month everything you bring to <strong>Northloft – furniture and lamps</strong> pays more. The new payout is already in your offer, there is nothing to ask for.',
      ),
      uk: told(
        'Для найкращих партнерів: вища виплата в Northloft',
        'До кінця наступного місяця за все, що ви приводите в <strong>Northloft – furniture and lamps</strong>, платимо більше. Нова виплата вже діє у вашому офері, просити нічого не треба.',
      ),
    },
    {
      days: 8,
      roles: ['affiliate'],
      geos: ['UA'],
      en: NONE,
      uk: told(
        'Гарна Крамниця: нові креативи та лендинг',
        'Рекламодавець підготував набір банерів і новий лендинг українською. За тиждень тесту він дав на 18 % більше замовлень, ніж попередній.',
        'Лендинг уже є в офері: оберіть його, коли створюватимете посилання.',
      ),
    },
    {
      days: 5,
      hue: 338,
      pinned: true,
      en: told(
        `${sale.en}: offers with room and higher caps`,
        'The busiest weeks of the season have begun. These shops have raised their caps and answer leads at weekends too:',
        list('Mora Cosmetics – first order', 'Northloft – furniture and lamps', 'Pawberry – pet food by subscription'),
        'Need more than the cap shows? Write to your manager before you scale, and we reserve it for you.',
      ),
      uk: told(
        `${sale.uk.charAt(0).toUpperCase()}${sale.uk.slice(1)}: офери з вільними та більшими лімітами`,
        'Почалися найгарячіші тижні сезону. Ці магазини підняли ліміти й обробляють заявки також у вихідні:',
        list('Mora Cosmetics – first order', 'Northloft – furniture and lamps', 'Pawberry – pet food by subscription'),
        'Потрібно більше, ніж показує ліміт? Напишіть менеджеру до того, як масштабуватися, і ми зарезервуємо його для вас.',
      ),
    },
    {
      days: 1.2,
      en: told(
        'New in your reports: group by anything, save it as a view',
        'Group your statistics by several dimensions at once, your own sub-parameters among them, and keep what you look at daily as a view. It opens with one click from then on.',
      ),
      uk: told(
        'Нове у звітах: групуйте за чим завгодно й зберігайте як вигляд',
        'Групуйте статистику за кількома вимірами одразу, зокрема за власними sub-параметрами, а те, на що дивитеся щодня, збережіть як вигляд. Далі він відкриватиметься одним кліком.',
      ),
    },
    {
      days: 0.1,
      roles: ['affiliate'],
      tags: ['influencers', 'social'],
      state: 'draft',
      en: told('Meet us at the affiliate conference in Warsaw', 'Date and stand follow. Tell your manager if you want a slot for a talk.'),
      uk: NONE,
    },
    {
      days: -3,
      roles: ['affiliate'],
      en: told(
        'Holiday hours of the support',
        'On public holidays we answer from 10:00 to 16:00, Kyiv time. Payments are made on the next working day.',
      ),
      uk: told(
        'Як працює підтримка у свята',
        'У святкові дні відповідаємо з 10:00 до 16:00 за Києвом. Виплати проводимо наступного робочого дня.',
      ),
    },
  ]
}
