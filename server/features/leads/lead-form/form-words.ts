import type { FormLanguage } from '#contract/leads/lead-form.ts'
import type { LeadField } from '#contract/leads/integration-type.ts'

type Words = {
  send: string
  leave: string
  thanks: string
  thanksText: string
  failed: string
  back: string
  labels: Partial<Record<LeadField | 'consent', string>>
  male: string
  female: string
  other: string
  messages: Readonly<Record<string, string>>
  /** Of a mistake that has no words of its own. */
  wrong: string
  closed: string
  tooMany: string
  address: string
}

/** What visitors read: of forms and of what is answered to them. */
export const FORM_WORDS: Readonly<Record<FormLanguage, Words>> = {
  en: {
    send: 'Send',
    leave: 'Leave this empty',
    thanks: 'Thank you',
    thanksText: 'We have received your details.',
    failed: 'This could not be sent',
    back: 'Go back in your browser: what you filled in is still there.',
    labels: {
      first_name: 'First name',
      last_name: 'Last name',
      email: 'E-mail',
      phone: 'Phone',
      country: 'Country',
      gender: 'Gender',
      birth_date: 'Date of birth',
      city: 'City',
      zip: 'Postal code',
      address: 'Address',
      language: 'Language',
      consent: 'Consent',
    },
    male: 'Male',
    female: 'Female',
    other: 'Other',
    messages: {
      Required: 'Please fill this in',
      'This is no telephone number of its country': 'This is no telephone number of your country',
    },
    wrong: 'Please check this',
    closed: 'Nothing can be sent here any more.',
    tooMany: 'Too many forms were sent from here. Please try again in a few minutes.',
    address: 'The address of this form is wrong: the form has to be copied again.',
  },
  uk: {
    send: 'Надіслати',
    leave: 'Залиште порожнім',
    thanks: 'Дякуємо',
    thanksText: 'Ми отримали ваші дані.',
    failed: 'Не вдалося надіслати',
    back: 'Поверніться назад у браузері: заповнене збереглося.',
    labels: {
      first_name: 'Ім’я',
      last_name: 'Прізвище',
      email: 'Електронна пошта',
      phone: 'Телефон',
      country: 'Країна',
      gender: 'Стать',
      birth_date: 'Дата народження',
      city: 'Місто',
      zip: 'Поштовий індекс',
      address: 'Адреса',
      language: 'Мова',
      consent: 'Згода',
    },
    male: 'Чоловік',
    female: 'Жінка',
    other: 'Інше',
    messages: {
      Required: 'Заповніть це поле',
      'This is no telephone number of its country': 'Це не номер телефону вашої країни',
      'This is not an e-mail address': 'Це не адреса електронної пошти',
      'This offer takes no leads of this country': 'З цієї країни заявки не приймаємо',
    },
    wrong: 'Перевірте це поле',
    closed: 'Сюди більше нічого не можна надіслати.',
    tooMany: 'Звідси надійшло забагато форм. Спробуйте ще раз за кілька хвилин.',
    address: 'Адреса цієї форми неправильна: форму треба скопіювати ще раз.',
  },
}

/** Of `Accept-Language` the first of ours; English where none is. */
export function visitorLanguage(accepted = ''): FormLanguage {
  const asked = accepted
    .slice(0, 500)
    .split(',')
    .map((text) => {
      const [name = '', ...rest] = text.trim().toLowerCase().split(';')
      const quality = rest.map((one) => /^\s*q=([\d.]+)/.exec(one)?.[1]).find((one) => one !== undefined)
      return { name: name.split('-')[0] ?? '', quality: quality === undefined ? 1 : Number(quality) }
    })
    .toSorted((one, other) => other.quality - one.quality)
  return asked.find(({ name }) => name === 'en' || name === 'uk')?.name === 'uk' ? 'uk' : 'en'
}
