import { Anchor, Button } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useNavigate } from 'react-router'
import { recoldApi, type RecoldDetail } from '#contract/leads/recold.ts'
import { DataWords } from '#web/features/leads/recold/data-words.tsx'
import { RecoldFiguresPanel } from '#web/features/leads/recold/figures.tsx'
import { RecoldItems, type LeadPanel } from '#web/features/leads/recold/item-list.tsx'
import { LivePanels } from '#web/features/leads/recold/live-panels.tsx'
import { RECOLD_STATUS } from '#web/features/leads/recold/recold-status.ts'
import { intervalWords } from '#web/features/leads/recold/recold-words.ts'
import { useRecoldActions } from '#web/features/leads/recold/use-recold-actions.tsx'
import { useRecoldStream } from '#web/features/leads/recold/use-recold-stream.ts'
import { DetailPage } from '#web/kit/page/detail-page.tsx'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import { wordsOf } from '#web/kit/status/status-look.ts'
import { RowMenu } from '#web/kit/table/row-menu.tsx'
import { screenHref, useGo } from '#web/shell/access.ts'
import { ScreenLink } from '#web/shell/screen-link.tsx'

/** /cold-api/re-cold-api/list/:uuid: one distribution, live. `panel` draws one lead over it. */
export function RecoldDetails({ panel }: { panel: LeadPanel }) {
  const { t } = useTranslation('recold')
  return (
    <DetailPage screen="recold" endpoint={recoldApi.get} failed={t('failed')} uuidOf={({ uuid }) => uuid} live>
      {(recold) => <Details of={recold} panel={panel} />}
    </DetailPage>
  )
}

function Details({ of, panel }: { of: RecoldDetail; panel: LeadPanel }) {
  const { t } = useTranslation('recold')
  const go = useGo()
  const navigate = useNavigate()
  const { actionsFor, dialog } = useRecoldActions({
    onRemoved: () => go('recolds'),
    onEdit: (uuid) => void navigate(`${screenHref('recolds')}?edit=${uuid}`),
  })
  const actions = actionsFor(of)
  const next = actions.find(({ id }) => ['start', 'pause', 'resume'].includes(id))
  useRecoldStream(of.uuid)
  return (
    <>
      <PageHeader
        title={of.title}
        id={of.id}
        status={<StatusBadge tone={RECOLD_STATUS.tones[of.status]} label={t(`status.${of.status}`)} />}
        facts={[
          <Anchor component={ScreenLink} key="list" fz="inherit" to="leadListSession" params={{ uuid: of.list.uuid }}>
            {of.list.name}
          </Anchor>,
          [of.offer.name, ...of.products.map(({ name }) => name)].join(' · '),
          intervalWords(of.pacing, wordsOf(t)),
          <DataWords key="data" of={of.data} />,
          ...(of.manager === null ? [] : [of.manager.name]),
        ]}
        actions={
          <>
            <RowMenu size="md" actions={actions.filter((one) => one !== next)} />
            {next !== undefined && (
              <Button {...(next.id === 'pause' && { variant: 'default' })} leftSection={next.icon} onClick={next.onClick}>
                {next.label}
              </Button>
            )}
          </>
        }
      />
      <LivePanels of={of}>
        {(live) => (
          <>
            {of.started_at !== null && <RecoldFiguresPanel uuid={of.uuid} />}
            <RecoldItems uuid={of.uuid} live={live} panel={panel} />
          </>
        )}
      </LivePanels>
      {dialog}
    </>
  )
}
