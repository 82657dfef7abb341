import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { partnerApiTicketApi } from '#contract/network/partner-api.ts'
import { EXAMPLE_LANGUAGES, exampleIn, type ExampleLanguage } from '#contract/partner-example.ts'
import { KEY_SCOPES } from '#contract/people/key-scope.ts'
import { partnerApiPostbackApi } from '#contract/traffic/partner-api-postback.ts'
import { partnerApiWebhookApi } from '#contract/traffic/webhook.ts'
import { describePartnerApi } from '#server/access/documentation.ts'
import { EXAMPLE_UUID } from '#server/access/partner-examples.ts'
import { createConversions, draftConversion } from '#server/features/traffic/conversion/draft.service.ts'
import { loadTerms } from '#server/features/traffic/conversion/terms.queries.ts'
import { makeKey } from '#test/support/make/api-key.ts'
import { makeClick, makeClickKeys, makeOffer } from '#test/support/make/money.ts'
import { caller, startApi, type TestApi } from '#test/support/run/api.ts'
import { exampleOf, reference, roomsOf } from '#web/features/network/partner-api/reference.ts'

const run = promisify(execFile)
/** Between what two examples print. */
const CUT = '\n-- next --\n'
/** What each of some examples prints. One process runs those of a language: to start one takes longer than its example. */
const RUNNERS: Record<ExampleLanguage, (texts: string[]) => Promise<string[]>> = {
  curl: async (texts) => {
    const printed: string[] = []
    for (const text of texts) printed.push((await run('sh', ['-c', `${text} -s -o /dev/null -w '%{http_code}'`])).stdout)
    return printed
  },
  javascript: (texts) =>
    printedBy(texts, process.execPath, [
      '--input-type=module',
      '-e',
      `for (const text of JSON.parse(await new Response(process.stdin).text())) {
        await import('data:text/javascript,' + encodeURIComponent(text)).catch((error) => console.log(String(error)))
        process.stdout.write(${JSON.stringify(CUT)})
      }`,
    ]),
  python: (texts) =>
    printedBy(texts, 'python3', [
      '-c',
      `import json, sys, traceback
for text in json.load(sys.stdin):
    try:
        exec(text, {})
    except Exception:
        print(traceback.format_exc())
    sys.stdout.write(${JSON.stringify(CUT)})`,
    ]),
}

async function printedBy(texts: string[], program: string, given: string[]): Promise<string[]> {
  const running = run(program, given)
  running.child.stdin?.end(JSON.stringify(texts))
  return (await running).stdout.split(CUT)
}
const operations = roomsOf(reference.parse(describePartnerApi('1'))).flatMap(([, list]) => list)

let api: TestApi
beforeAll(async () => {
  // nobody is asked where example.com is
  api = await startApi({ clickhouse: true, names: { resolve: async () => [{ address: '93.184.215.14', family: 4 }] } })
})
afterAll(() => api.close())

/** An affiliate's key and what its examples may be about, by the beginning of their paths. */
async function world() {
  const affiliate = await api.as('affiliate')
  const key = await makeKey(api, affiliate, KEY_SCOPES)
  const call = caller(api.url, key)
  const offer = await makeOffer(api.db)
  const terms = (await loadTerms(api.db, [offer.id])).get(offer.id)
  const goal = terms?.goals[0]
  if (!terms || !goal) throw new Error('no goal')
  const now = api.clock.now()
  const click = makeClick(await makeClickKeys(api.db), { offerId: offer.id, affiliateId: affiliate.affiliateId ?? 0, at: now - 60_000 })
  const told = { status: 'approved' as const, amount: null, currency: 'USD', converted: null, transactionId: null, reason: '' }
  const draft = draftConversion(terms, goal, click, told, now, now)
  await api.db.transaction().execute((trx) => createConversions(trx, draft === null ? [] : [draft], now))
  const conversion = await api.db.selectFrom('conversion').select('uuid').where('offer_id', '=', offer.id).executeTakeFirstOrThrow()
  const url = 'https://example.com/'
  const postback = await call(partnerApiPostbackApi.create, { body: { offer_uuid: null, goal: null, statuses: [], method: 'GET', url } })
  const webhook = await call(partnerApiWebhookApi.create, { body: { url, events: ['ticket.answered'] } })
  await call(partnerApiWebhookApi.test, { params: { uuid: webhook.data.webhook.uuid } })
  const [delivery] = (await call(partnerApiWebhookApi.deliveries)).data.data
  const ticket = await call(partnerApiTicketApi.create, { body: { subject: 'x', body: 'x' } })
  const of: [beginning: string, uuid: string | undefined][] = [
    ['offer', offer.uuid],
    ['short-links', offer.uuid],
    ['conversions', conversion.uuid],
    ['postback', postback.data.uuid],
    ['webhook-deliveries', delivery?.uuid],
    ['webhook', webhook.data.webhook.uuid],
    ['ticket', ticket.data.uuid],
  ]
  return { key, uuidFor: (path: string) => of.find(([beginning]) => path.startsWith(`/api/partner/v1/${beginning}`))?.[1] ?? EXAMPLE_UUID }
}

const hasPython = await run('python3', ['--version']).then(
  () => true,
  () => false,
)

test.each(EXAMPLE_LANGUAGES)('every example of the reference works as it stands, in %s', { timeout: 120_000 }, async (language) => {
  if (language === 'python' && !hasPython) return
  const { key, uuidFor } = await world()
  // what removes things comes last
  const inTurn = operations.toSorted((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'))
  const texts = inTurn.map((one) => exampleIn(language, api.url, key, exampleOf(one)).replaceAll(EXAMPLE_UUID, uuidFor(one.path)))
  const printed = await RUNNERS[language](texts)
  const answers = Object.fromEntries(
    inTurn.map(({ operationId }, place) => {
      const said = printed[place] ?? ''
      return [operationId, said.slice(0, 3) === '200' ? '200' : said]
    }),
  )
  expect(answers).toEqual(Object.fromEntries(operations.map(({ operationId }) => [operationId, '200'])))
  expect(operations.length).toBeGreaterThan(30)
})
