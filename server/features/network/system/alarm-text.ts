import type { SystemLine } from '#contract/network/system.ts'

/** What a message about the instance says of each line; what to do stands on the system page. */
export const ALARM_TEXTS: Readonly<Record<SystemLine, { en: string; uk: string }>> = {
  tracker: { en: 'A tracker is silent or cannot store clicks', uk: 'Трекер не відповідає або не може зберігати кліки' },
  ingester: { en: 'Clicks do not reach the statistics', uk: 'Кліки не потрапляють до статистики' },
  lag: { en: 'The statistics of clicks are late', uk: 'Статистика кліків запізнюється' },
  last_click: { en: 'No clicks arrive', uk: 'Кліки не надходять' },
  statistics: { en: 'The statistics engine does not answer', uk: 'Рушій статистики не відповідає' },
  outbox: { en: 'Conversions reach the statistics late', uk: 'Конверсії потрапляють до статистики із запізненням' },
  last_postback: { en: 'No postbacks arrive', uk: 'Постбеки не надходять' },
  deliveries: { en: 'Postbacks to affiliates are late', uk: 'Постбеки партнерам запізнюються' },
  mail: { en: 'Mail does not leave', uk: 'Пошта не надсилається' },
  jobs: { en: 'Jobs by the clock do not run', uk: 'Завдання за розкладом не виконуються' },
  domain: { en: 'A domain does not work', uk: 'Домен не працює' },
  storage: { en: 'The disk is running full', uk: 'На диску закінчується місце' },
  backup: { en: 'The last backup failed', uk: 'Остання резервна копія не вдалася' },
  trial: { en: 'A backup could not be restored for trial', uk: 'Пробне відновлення резервної копії не вдалося' },
  self_check: { en: 'Books and figures do not agree', uk: 'Облік і показники не збігаються' },
  places: { en: 'The data of places are old', uk: 'Дані про місця застаріли' },
}
