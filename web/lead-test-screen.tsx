import { Alert, Anchor, Button, Group, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { IconPlayerPlay, IconSend } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { apiOfferApi, type ApiOfferDetail } from '#contract/leads/api-offer.ts'
import type { LeadTest } from '#contract/leads/lead-test.ts'
import { offerApi } from '#contract/offers/offer.ts'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { query, useSave } from '#web/api/query.ts'
import { callReasonWords } from '#web/call-reason.ts'
import { MadeCalls } from '#web/features/leads/product/made-calls.tsx'
import { LEAD_STATUS } from '#web/features/leads/user-session/user-session-columns.tsx'
import { Why } from '#web/features/offers/offer/lead/lead-why.tsx'
import { SimulationResult } from '#web/features/offers/offer/lead/simulation-result.tsx'
import { fieldText } from '#web/i18n/language.ts'
import { LinkProblem } from '#web/kit/feedback/link-problem.tsx'
import { useCountryOptions } from '#web/kit/fields/country-field.tsx'
import { ReferenceSelect } from '#web/kit/fields/reference-select.tsx'
import type { ReferenceRow } from '#web/kit/list/filter.ts'
import { PageColumns } from '#web/kit/page/page-columns.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import { wordsOf } from '#web/kit/status/status-look.ts'
import { OutcomeBadge } from '#web/outcome-badge.tsx'
import { ScreenLink } from '#web/shell/screen-link.tsx'
import { TestApiPage } from '#web/shell/settings/test-api-page.tsx'

const FIELDS = ['first_name', 'last_name', 'email', 'phone', 'language', 'ip'] as const
/** While a lead is still being offered it is looked again. */
const AGAIN_MS = 2_000
const UNDER_WAY: ReadonlySet<LeadTest['outcome']> = new Set(['received', 'queued'])

/** /settings/test-api/offer: a lead nobody is goes the way of an API offer, thought of or really sent, and each step is shown. */
export function LeadTestScreen() {
  const { t } = useTranslation('testApi')
  const countries = useCountryOptions()
  const [offer, setOffer] = useState<ReferenceRow | null>(null)
  const [affiliate, setAffiliate] = useState<ReferenceRow | null>(null)
  const [country, setCountry] = useState<string | null>(null)
  const [sub1, setSub1] = useState('')
  const [typed, setTyped] = useState<Partial<Record<(typeof FIELDS)[number], string>>>({})
  const [shown, setShown] = useState<'simulation' | 'test'>('test')
  const whole = useQuery({ ...query(apiOfferApi.get, { params: { uuid: offer?.uuid ?? '' } }, { quiet: true }), enabled: offer !== null })
  const simulate = useSave(apiOfferApi.simulate, { form: true })
  const send = useSave(apiOfferApi.test, { form: true })
  const forbidden = whole.data?.editable === false
  const asked = offer !== null && affiliate !== null && country !== null && whole.data !== undefined && !forbidden
  const pending = simulate.isPending || send.isPending
  const errors = (shown === 'test' ? send.error : simulate.error)?.fields ?? {}
  const errorOf = (name: string) => {
    const said = errors[name] ?? errors[`values.${name}`]
    return said === undefined ? undefined : fieldText(said)
  }
  const think = () => {
    if (offer === null || affiliate === null || country === null) return
    setShown('simulation')
    simulate.mutate({ params: { uuid: offer.uuid }, body: { affiliate_uuid: affiliate.uuid, geo: country, sub1: sub1.trim() } })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (offer === null || affiliate === null || country === null) return
    setShown('test')
    const values = Object.fromEntries(Object.entries(typed).filter(([, value]) => value.trim() !== ''))
    send.mutate({ params: { uuid: offer.uuid }, body: { affiliate_uuid: affiliate.uuid, country, sub1: sub1.trim(), values } })
  }
  return (
    <TestApiPage>
      <PageColumns first="form">
        <Panel title={t('lead.title')} text={t('lead.text')}>
          <form aria-label={t('lead.title')} onSubmit={submit}>
            <Stack gap={14}>
              <ReferenceSelect
                endpoint={offerApi.options}
                only={{ type: 'api' }}
                label={t('lead.offer')}
                required
                value={offer?.uuid ?? null}
                chosen={offer}
                error={forbidden && t('lead.notYours')}
                onChoose={setOffer}
              />
              <ReferenceSelect
                endpoint={affiliateApi.list}
                label={t('lead.affiliate')}
                required
                value={affiliate?.uuid ?? null}
                chosen={affiliate}
                error={errorOf('affiliate_uuid')}
                onChoose={setAffiliate}
              />
              <SimpleGrid cols={2} spacing={12}>
                <Select
                  label={t('lead.country')}
                  required
                  data={countries}
                  value={country}
                  onChange={setCountry}
                  error={errorOf('country')}
                  searchable
                  limit={60}
                />
                <TextInput
                  label="sub1"
                  maxLength={100}
                  autoComplete="off"
                  value={sub1}
                  onChange={(event) => setSub1(event.currentTarget.value)}
                />
              </SimpleGrid>
              <details open={FIELDS.some((name) => errorOf(name) !== undefined) || undefined}>
                <summary>{t('lead.more')}</summary>
                <p className="ohma-soft">{t('lead.moreText')}</p>
                <SimpleGrid cols={2} spacing={12} mt={8}>
                  {FIELDS.map((name) => (
                    <TextInput
                      key={name}
                      label={t(`lead.field.${name}`)}
                      maxLength={254}
                      autoComplete="off"
                      error={errorOf(name)}
                      value={typed[name] ?? ''}
                      onChange={(event) => {
                        const { value } = event.currentTarget
                        setTyped((before) => ({ ...before, [name]: value }))
                      }}
                    />
                  ))}
                </SimpleGrid>
              </details>
              <Group gap={10}>
                <Button
                  type="submit"
                  disabled={!asked || pending}
                  loading={send.isPending}
                  leftSection={<IconSend size={16} aria-hidden />}
                >
                  {t('lead.send')}
                </Button>
                <Button
                  variant="default"
                  disabled={!asked || pending}
                  loading={simulate.isPending}
                  leftSection={<IconPlayerPlay size={16} aria-hidden />}
                  onClick={think}
                >
                  {t('lead.simulate')}
                </Button>
              </Group>
              <Text fz={13} c="dimmed" role="status">
                {t(send.isPending ? 'lead.waiting' : 'lead.sure')}
              </Text>
            </Stack>
          </form>
        </Panel>
        <Panel title={t('lead.result')}>
          <Answer shown={shown} offer={whole.data} simulate={simulate} send={send} />
        </Panel>
      </PageColumns>
    </TestApiPage>
  )
}

type Asked<Data> = { data: Data | undefined; error: (Error & { fields?: Record<string, string> }) | null }
type AnswerProps = {
  shown: 'simulation' | 'test'
  offer: ApiOfferDetail | undefined
  simulate: Asked<Parameters<typeof SimulationResult>[0]['of']>
  send: Asked<LeadTest>
}

function Answer({ shown, offer, simulate, send }: AnswerProps) {
  const { t } = useTranslation('testApi')
  const { error } = shown === 'test' ? send : simulate
  if (error !== null)
    return (
      <>
        <p>{t('lead.refused')}</p>
        <LinkProblem error={error} />
      </>
    )
  if (shown === 'simulation' && simulate.data !== undefined && offer !== undefined)
    return <SimulationResult of={simulate.data} offer={offer} />
  if (shown === 'test' && send.data !== undefined) return <Test key={send.data.session.uuid} first={send.data} />
  return <p className="ohma-soft">{t('lead.first')}</p>
}

/** What a test lead came to; asked again while it is under way. */
function Test({ first }: { first: LeadTest }) {
  const { t } = useTranslation('testApi')
  const { t: word } = useTranslation('userSession')
  const found = useQuery({
    ...query(apiOfferApi.testGet, { params: { uuid: first.session.uuid } }, { quiet: true }),
    enabled: UNDER_WAY.has(first.outcome),
    refetchInterval: ({ state }) => UNDER_WAY.has(state.data?.outcome ?? 'received') && AGAIN_MS,
  })
  const { outcome, reason, rounds, session } = found.data ?? first
  return (
    <Stack gap={16} aria-live="polite">
      <Group gap="6px 12px">
        <StatusBadge tone={LEAD_STATUS.tones[outcome]} label={word(`status.${outcome}`)} />
        {reason !== '' && <span>{word(`reason.${reason}` as 'reason.repeat', { defaultValue: reason })}</span>}
        <Anchor component={ScreenLink} to="statisticApiUserSession" search={`?session=${session.uuid}`} fz={14}>
          {t('lead.session', { id: session.id })}
        </Anchor>
      </Group>
      {UNDER_WAY.has(outcome) && <Alert color="var(--ohma-waiting)">{t('lead.pending')}</Alert>}
      {rounds.map((round, index) => (
        <section key={`${round.at} ${index}`} aria-label={t('lead.round', { number: index + 1 })}>
          <h3>{t('lead.round', { number: index + 1 })}</h3>
          <ol style={{ margin: '6px 0', paddingInlineStart: 22 }}>
            {round.considered.map(({ product, check, detail }, place) => (
              <li key={`${product?.uuid} ${place}`}>
                <strong>{product?.name ?? t('lead.another')}</strong>{' '}
                <span className="ohma-soft">{check === null ? t('lead.asked') : <Why of={{ check, detail }} />}</span>
              </li>
            ))}
          </ol>
          {round.send === null ? <p className="ohma-soft">{t('lead.nobody')}</p> : <Send of={round.send} />}
        </section>
      ))}
    </Stack>
  )
}

function Send({ of }: { of: NonNullable<LeadTest['rounds'][number]['send']> }) {
  const { t } = useTranslation('testApi')
  const { product, advertiser, outcome, reason, extracted, calls } = of
  return (
    <Stack gap={8} mt={8}>
      <Group gap="4px 12px">
        <strong>{`${product.name} · ${advertiser.name}`}</strong>
        {outcome !== null && <OutcomeBadge outcome={outcome} />}
        {reason !== '' && <span className="ohma-soft">{callReasonWords(reason, wordsOf(t))}</span>}
      </Group>
      {extracted.external_id !== null && <Text fz={13}>{t('lead.theirId', { id: extracted.external_id })}</Text>}
      {extracted.redirect && <Text fz={13}>{t('lead.redirect')}</Text>}
      {calls.length > 0 && (
        <details>
          <summary>{t('lead.calls', { product: product.name })}</summary>
          <Stack gap={10} mt={8}>
            <MadeCalls calls={calls} />
          </Stack>
        </details>
      )}
    </Stack>
  )
}
