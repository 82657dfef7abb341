import { Alert, Button, Stack, Text } from '@mantine/core'
import { IconMail } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Link } from 'react-router'
import type { affiliateStatus } from '#contract/people/affiliate.ts'
import { href } from '#contract/screens.ts'
import { applicationApi, inLanguage, type application } from '#contract/people/application.ts'
import type { z } from 'zod'
import { query, useSave } from '#web/api/query.ts'
import { UNKNOWN } from '#web/format.ts'
import { currentLanguage, LANGUAGES } from '#web/i18n/language.ts'
import { Facts } from '#web/kit/page/facts.tsx'
import { PageColumns } from '#web/kit/page/page-columns.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { notify } from '#web/notify.ts'
import { useCan } from '#web/shell/access.ts'
import type english from './application.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    application: typeof english
  }
}

type Affiliate = { uuid: string; status: z.output<typeof affiliateStatus> }
type Application = z.output<typeof application>

/** What an affiliate said who signed up, where from, and what is decided about it. */
export function ApplicationTab({ affiliate }: { affiliate: Affiliate }) {
  const { t } = useTranslation('application')
  const found = useQuery(query(applicationApi.get, { params: { uuid: affiliate.uuid } }))
  return (
    <QueryPage query={found} failed={t('failed')}>
      {({ application }) =>
        application === null ? (
          <Panel title={t('title')}>
            <Text c="dimmed">{t('none')}</Text>
          </Panel>
        ) : (
          <Stack>
            <Decision affiliate={affiliate} application={application} />
            <Said application={application} />
          </Stack>
        )
      }
    </QueryPage>
  )
}

function Decision({ affiliate: { uuid, status }, application }: { affiliate: Affiliate; application: Application }) {
  const { t } = useTranslation('application')
  const mayWrite = useCan()('affiliate.write')
  const resend = useSave(applicationApi.resend, { onSuccess: () => notify.success(t('resent')) })
  return (
    <Panel
      title={t('title')}
      actions={
        mayWrite &&
        status === 'unverified' && (
          <Button
            variant="default"
            leftSection={<IconMail size={16} aria-hidden />}
            loading={resend.isPending}
            onClick={() => resend.mutate({ params: { uuid } })}
          >
            {t('resend')}
          </Button>
        )
      }
    >
      {application.confirmed_at === null && (
        <Alert color="var(--ohma-waiting)" p="sm">
          {t(status === 'unverified' ? 'unverified' : 'unconfirmed')}
        </Alert>
      )}
      <Facts
        of={[
          [t('applied'), <Moment key="applied" at={application.created_at} />],
          [
            t('confirmed'),
            application.confirmed_at === null ? t('notConfirmed') : <Moment key="confirmed" at={application.confirmed_at} />,
          ],
          [t('decided'), application.decided_at === null ? UNKNOWN : <Moment key="decided" at={application.decided_at} />],
          ...(application.reason === '' ? [] : [[t('reason'), application.reason] as const]),
        ]}
      />
    </Panel>
  )
}

function Said({ application: { answers, source, brought, accepted, address, device } }: { application: Application }) {
  const { t } = useTranslation('application')
  const { t: legal } = useTranslation('legal')
  const language = currentLanguage()
  const utm = (['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] as const).filter((name) => source[name] !== '')
  return (
    <PageColumns>
      <Panel title={t('answers')}>
        {answers.length === 0 ? (
          <Text c="dimmed">{t('noAnswers')}</Text>
        ) : (
          <Stack gap="md">
            {answers.map(({ question, values }) => (
              <div key={question.en + question.uk}>
                <Text fw={600}>{inLanguage(question, language)}</Text>
                <Text style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
                  {values.map((value) => inLanguage(value, language)).join(', ')}
                </Text>
              </div>
            ))}
          </Stack>
        )}
      </Panel>
      <Panel title={t('source')}>
        <Facts
          of={[
            [t('ref'), source.ref || UNKNOWN],
            ...(brought === null
              ? []
              : [
                  [
                    t('brought'),
                    <span key="brought">
                      {brought.who === null ? (
                        t('broughtHidden')
                      ) : (
                        <Link to={href('affiliateEdit', { uuid: brought.who.uuid })}>{brought.who.name}</Link>
                      )}{' '}
                      ({t('broughtTerms', { percent: Number(brought.percent), months: brought.months })})
                    </span>,
                  ] as const,
                ]),
            [t('referrer'), <Whole key="referrer" text={source.referrer} />],
            [t('landing'), <Whole key="landing" text={source.landing} />],
            ...utm.map((name) => [name, source[name]] as const),
            [t('address'), address || UNKNOWN],
            [t('device'), <Whole key="device" text={device} />],
          ]}
        />
      </Panel>
      <Panel title={t('accepted')}>
        {accepted.length === 0 ? (
          <Text c="dimmed">{t('noAccepted')}</Text>
        ) : (
          <Facts
            of={accepted.map((one) => [
              legal(`kind.${one.kind}` as 'kind.terms'),
              <span key={one.uuid}>
                {t('version', { version: one.version, language: LANGUAGES.find(({ value }) => value === one.language)?.label ?? '' })}{' '}
                <Moment at={one.accepted_at} />
              </span>,
            ])}
          />
        )}
      </Panel>
    </PageColumns>
  )
}

/** Text of strangers, however long, in the width there is. */
function Whole({ text }: { text: string }) {
  return <span style={{ overflowWrap: 'anywhere' }}>{text || UNKNOWN}</span>
}
