import type { DocumentLanguage } from '#contract/money/document.ts'
import type { ReconciliationCause } from '#contract/money/reconciliation-cause.ts'
import { inLanguage } from '#server/features/money/document/words.ts'

type Text = readonly [english: string, ukrainian: string]

const WORDS = {
  title: ['Differences with your report', 'Розбіжності з вашим звітом'],
  advertiser: ['Advertiser', 'Рекламодавець'],
  period: ['Period', 'Період'],
  report: ['Report', 'Звіт'],
  clock: ['Clock of the report', 'Годинник звіту'],
  made: ['Made on', 'Складено'],
  cause: ['Cause', 'Причина'],
  rows: ['Rows', 'Рядків'],
  theirs: ['Your report', 'Ваш звіт'],
  ours: ['Our records', 'Наші дані'],
  difference: ['Difference', 'Різниця'],
  total: ['Total', 'Разом'],
  agreeing: ['Lines of the report that agree with our records', 'Рядків звіту, що збігаються з нашими даними'],
  means: ['What the causes mean', 'Що означають причини'],
  files: ['Files of this pack and their SHA-256', 'Файли цього пакета та їхні SHA-256'],
  only: ['Only these causes were asked for', 'Запитано лише ці причини'],
  amounts: [
    'Amounts are those of approved and pending results; what is declined counts as nothing.',
    'Суми — схвалених результатів і тих, що очікують; відхилене не враховано.',
  ],
} as const satisfies Record<string, Text>

const CAUSES: Readonly<Record<ReconciliationCause, { name: Text; means: Text }>> = {
  test: { name: ['Test', 'Тест'], means: ['The click or conversion is a test.', 'Клік або конверсія — тестові.'] },
  duplicate_theirs: {
    name: ['Twice in the report', 'Двічі у звіті'],
    means: ['The report lists the same result again.', 'Звіт містить той самий результат ще раз.'],
  },
  duplicate_ours: {
    name: ['Twice in our records', 'Двічі в наших даних'],
    means: [
      'We were told two results of one click and goal, under two transactions.',
      'Нам повідомили два результати одного кліку й цілі з різними транзакціями.',
    ],
  },
  time_zone: {
    name: ['Time zone', 'Часовий пояс'],
    means: ['By one clock it lies in the period, by the other outside of it.', 'За одним годинником він у періоді, за іншим — поза ним.'],
  },
  refused: {
    name: ['Call refused', 'Виклик відхилено'],
    means: ['A postback came and could not be taken; the code says why.', 'Постбек надійшов, але його не прийнято; код називає причину.'],
  },
  lead_not_taken: {
    name: ['Lead not taken', 'Лід не прийнято'],
    means: ['We sent you the lead of this click, and you did not take it.', 'Ми надіслали вам лід цього кліку, і ви його не прийняли.'],
  },
  lead_open: {
    name: ['Lead without a result', 'Лід без результату'],
    means: ['You have the lead of this click and told us of no result.', 'Лід цього кліку у вас, але про результат ви не повідомили.'],
  },
  lead_not_sent: {
    name: ['Lead not sent', 'Лід не надіслано'],
    means: ['We never sent you the lead of this click.', 'Лід цього кліку ми вам не надсилали.'],
  },
  unmatched: {
    name: ['Click unknown', 'Клік невідомий'],
    means: ['The click id is not one we gave.', 'Такого ID кліку ми не видавали.'],
  },
  late: {
    name: ['Reported late', 'Повідомлено пізніше'],
    means: ['The postback came after the period had ended.', 'Постбек надійшов, коли період уже скінчився.'],
  },
  early: {
    name: ['Reported early', 'Повідомлено раніше'],
    means: ['The postback came before the period began.', 'Постбек надійшов до початку періоду.'],
  },
  cap: { name: ['Cap reached', 'Ліміт вичерпано'], means: ['The agreed cap was full.', 'Погоджений ліміт було вичерпано.'] },
  status: { name: ['Other status', 'Інший статус'], means: ['Both have it, with another status.', 'Є в обох, але з різними статусами.'] },
  amount: { name: ['Other amount', 'Інша сума'], means: ['Both have it, with another amount.', 'Є в обох, але з різними сумами.'] },
  currency: {
    name: ['Other currency', 'Інша валюта'],
    means: ['Both have it, in another currency.', 'Є в обох, але в різних валютах.'],
  },
  goal: {
    name: ['Other goal or offer', 'Інша ціль чи офер'],
    means: ['Both have it, for another goal or offer.', 'Є в обох, але за іншою ціллю чи офером.'],
  },
  never_reported: {
    name: ['Never reported', 'Не повідомлено'],
    means: ['The report has it, no postback came.', 'Є у звіті, але постбек не надходив.'],
  },
  not_in_report: {
    name: ['Not in the report', 'Немає у звіті'],
    means: [
      'You reported it to us by postback, and the report does not list it.',
      'Ви повідомили про нього постбеком, але у звіті його немає.',
    ],
  },
  unknown: {
    name: ['Unexplained', 'Нез’ясовано'],
    means: ['Nothing on either side tells what it is about.', 'Жодна зі сторін не дає цього з’ясувати.'],
  },
}

const COLUMNS = {
  line: ['Line of the report', 'Рядок звіту'],
  cause: ['Cause', 'Причина'],
  code: ['Code', 'Код'],
  detail: ['Detail', 'Деталь'],
  report_time: ['Report: time (UTC)', 'Звіт: час (UTC)'],
  report_transaction: ['Report: transaction', 'Звіт: транзакція'],
  report_click: ['Report: click ID', 'Звіт: ID кліку'],
  report_offer: ['Report: offer', 'Звіт: офер'],
  report_goal: ['Report: goal', 'Звіт: ціль'],
  report_status: ['Report: status', 'Звіт: статус'],
  report_amount: ['Report: amount', 'Звіт: сума'],
  report_currency: ['Report: currency', 'Звіт: валюта'],
  report_reason: ['Report: reason', 'Звіт: причина'],
  our_id: ['Our conversion', 'Наша конверсія'],
  our_time: ['We: time (UTC)', 'Ми: час (UTC)'],
  our_transaction: ['We: transaction', 'Ми: транзакція'],
  our_click: ['We: click ID', 'Ми: ID кліку'],
  our_offer: ['We: offer', 'Ми: офер'],
  our_goal: ['We: goal', 'Ми: ціль'],
  our_status: ['We: status', 'Ми: статус'],
  our_amount: ['We: amount', 'Ми: сума'],
  our_currency: ['We: currency', 'Ми: валюта'],
  time: ['Time (UTC)', 'Час (UTC)'],
  method: ['Method', 'Метод'],
  address: ['Path and query', 'Шлях і запит'],
  body: ['Body', 'Тіло'],
  answered: ['We answered', 'Ми відповіли'],
  answer: ['Answer', 'Відповідь'],
  outcome: ['What became of it', 'Що з ним сталося'],
  reason: ['Reason', 'Причина'],
  click_id: ['Click ID', 'ID кліку'],
  click_time: ['Time of the click (UTC)', 'Час кліку (UTC)'],
  transaction_id: ['Transaction', 'Транзакція'],
} as const satisfies Record<string, Text>
export type DisputeColumn = keyof typeof COLUMNS

/** A word of the summary. */
export function disputeWord(word: keyof typeof WORDS, language: DocumentLanguage): string {
  return inLanguage(WORDS[word], language)
}

/** How a cause is called, or what it means. */
export function causeText(cause: ReconciliationCause, part: 'name' | 'means', language: DocumentLanguage): string {
  return inLanguage(CAUSES[cause][part], language)
}

/** The heading of a column. */
export function columnName(column: DisputeColumn, language: DocumentLanguage): string {
  return inLanguage(COLUMNS[column], language)
}
