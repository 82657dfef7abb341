import { Anchor, Button, Table } from '@mantine/core'
import { IconChartBar, IconRefresh } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Link } from 'react-router'
import type { z } from 'zod'
import { landingApi, landingInput, type landingDetail } from '#contract/offers/landing.ts'
import { valuesOf } from '#contract/shape.ts'
import { useSave } from '#web/api/query.ts'
import { integer } from '#web/format.ts'
import { LANDING_STATUS, useLandingActions } from '#web/features/offers/landing/landing-list.tsx'
import { History } from '#web/history.tsx'
import { LandingCheck } from '#web/features/offers/landing/landing-check.tsx'
import { PageLink } from '#web/features/offers/landing/page-link.tsx'
import { landingBody, LandingForm, landingValues } from '#web/features/offers/landing/landing-form.tsx'
import { EmptyState } from '#web/kit/feedback/empty-state.tsx'
import { PageForm } from '#web/kit/form/page-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { DetailPage } from '#web/kit/page/detail-page.tsx'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { UrlTabs } from '#web/kit/page/url-tabs.tsx'
import { Status } from '#web/kit/status/status.tsx'
import { RowMenu } from '#web/kit/table/row-menu.tsx'
import { screenHref } from '#web/shell/access.ts'
import { ScreenLink } from '#web/shell/screen-link.tsx'

/** What is decided about a landing that waits, by the ids of its actions: buttons here, the usual one last. */
const DECISIONS: readonly string[] = ['reject', 'approve']

type LandingDetail = z.output<typeof landingDetail>

/** One landing: whether it is there, everything that can be changed, and the offers it stands in. */
export function LandingEdit() {
  const { t } = useTranslation('landing')
  return (
    <DetailPage screen="landingEdit" endpoint={landingApi.get} failed={t('failed')} uuidOf={({ uuid }) => uuid}>
      {(landing) => (
        <>
          <Header landing={landing} />
          <UrlTabs
            label={landing.name}
            tabs={[
              { id: 'profile', label: t('tab.page'), content: <Profile landing={landing} /> },
              { id: 'offers', label: t('tab.offers'), content: <Offers landing={landing} />, badge: integer(landing.offers) },
              { id: 'activity', label: t('tab.activity'), content: <History kind="landing" uuid={landing.uuid} /> },
            ]}
          />
        </>
      )}
    </DetailPage>
  )
}

function Header({ landing }: { landing: LandingDetail }) {
  const { t } = useTranslation('landing')
  const { actionsFor, dialog } = useLandingActions()
  const check = useSave(landingApi.check, { invalidate: [landingApi.get, landingApi.list] })
  const actions = actionsFor(landing)
  const decisions = DECISIONS.flatMap((decision) => actions.find(({ id }) => id === decision) ?? [])
  return (
    <>
      <PageHeader
        title={landing.name}
        id={landing.id}
        status={<Status of={LANDING_STATUS} value={landing.status} />}
        facts={[
          t(`type.${landing.type}`),
          landing.advertiser?.name ?? t('anyAdvertiser'),
          <PageLink key="page" of={landing} />,
          <LandingCheck key="check" of={landing} full />,
          ...(landing.proposed_by === null ? [] : [t('proposedBy', { name: landing.proposed_by })]),
          ...(landing.reason === '' ? [] : [t('reasonFact', { reason: landing.reason })]),
        ]}
        actions={
          <>
            <RowMenu size="md" actions={actions.filter(({ id }) => !DECISIONS.includes(id))} />
            {/* nobody has been there before it is let in */}
            {decisions.length === 0 && (
              <Button
                component={Link}
                to={`${screenHref('statisticDirectGeneral')}?is.${landing.type}=${landing.id}&group=offer`}
                variant="default"
                leftSection={<IconChartBar size={16} aria-hidden />}
              >
                {t('statistics')}
              </Button>
            )}
            <Button
              variant="default"
              loading={check.isPending}
              leftSection={<IconRefresh size={16} aria-hidden />}
              onClick={() => check.mutate({ params: { uuid: landing.uuid } })}
            >
              {t('checkNow')}
            </Button>
            {decisions.map(({ id, label, icon, onClick }) => (
              <Button key={id} variant={id === 'approve' ? 'filled' : 'default'} leftSection={icon} onClick={onClick}>
                {label}
              </Button>
            ))}
          </>
        }
      />
      {dialog}
    </>
  )
}

function Profile({ landing }: { landing: LandingDetail }) {
  const { t } = useTranslation('landing')
  const form = useSaveForm({
    endpoint: landingApi.update,
    record: landing,
    valuesOf: (stored) => landingValues(valuesOf(landingInput.omit({ affiliate_uuids: true }), stored), stored.affiliates),
    toInput: (values, { version }) => ({ params: { uuid: landing.uuid }, body: { ...landingBody(values), version } }),
    invalidate: [landingApi.list, landingApi.get],
  })
  return (
    <PageForm of={form} label={landing.name} action={t('save')}>
      <LandingForm of={form} advertiser={landing.advertiser} id={landing.id} />
    </PageForm>
  )
}

function Offers({ landing }: { landing: LandingDetail }) {
  const { t } = useTranslation('landing')
  if (landing.used_by.length === 0) return <EmptyState title={t('noOffers.title')} text={t('noOffers.text')} />
  return (
    <Table maw={720} aria-label={t('tab.offers')}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('offer')}</Table.Th>
          <Table.Th>{t('status')}</Table.Th>
          <Table.Th ta="right">{t('weight')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {landing.used_by.map((offer) => (
          <Table.Tr key={offer.uuid}>
            <Table.Td>
              <Anchor component={ScreenLink} to="offerDetailDirect" params={{ uuid: offer.uuid }} size="sm">
                {offer.name}
              </Anchor>
            </Table.Td>
            <Table.Td>{t(`offerStatus.${offer.status}`)}</Table.Td>
            <Table.Td ta="right" className="ohma-number">
              {offer.weight === 0 ? t('onlyAsked') : integer(offer.weight)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
