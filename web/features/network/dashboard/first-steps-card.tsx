import { Anchor, Button, Group, Stack, ThemeIcon } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Link } from 'react-router'
import type { z } from 'zod'
import { dashboardApi, type FIRST_STEPS, type firstSteps } from '#contract/network/dashboard.ts'
import { query, useSave } from '#web/api/query.ts'
import { Panel } from '#web/kit/page/panel.tsx'
import { screenHref } from '#web/shell/access.ts'

type Step = (typeof FIRST_STEPS)[number]

/** What an empty network needs to earn, each done by itself; gone when all are, or when somebody puts it away. */
export function FirstStepsCard() {
  const { t } = useTranslation('dashboard')
  const { data } = useQuery({
    ...query(dashboardApi.firstSteps, {}, { quiet: true }),
    staleTime: 0,
    // of a network that is set up nothing is asked any more
    refetchInterval: ({ state: { data: known } }) => (known === undefined || known.steps?.some((step) => !step.done) ? 10_000 : false),
  })
  const dismiss = useSave(dashboardApi.dismissFirstSteps, { invalidate: [dashboardApi.firstSteps] })
  const steps = data?.steps ?? []
  const done = steps.filter((step) => step.done).length
  if (data === undefined || done === steps.length) return null
  const next = steps.find((step) => !step.done)?.id
  return (
    <Panel
      title={t('steps')}
      text={t('steps.text', { done, all: steps.length })}
      actions={
        <Group gap={8}>
          <Button component={Link} to="?setup" size="compact-sm" variant="light">
            {t('steps.guided')}
          </Button>
          <Button size="compact-sm" variant="subtle" color="gray" loading={dismiss.isPending} onClick={() => dismiss.mutate({})}>
            {t('steps.dismiss')}
          </Button>
        </Group>
      }
    >
      <Stack component="ol" gap={10}>
        {steps.map((step) => (
          <li key={step.id}>
            <Group gap={12} wrap="nowrap" align="flex-start">
              <ThemeIcon
                size={22}
                radius="xl"
                mt={1}
                variant={step.done ? 'light' : 'default'}
                color="var(--ohma-good)"
                {...(step.done && { role: 'img', 'aria-label': t('steps.done') })}
              >
                {step.done && <IconCheck size={14} aria-hidden />}
              </ThemeIcon>
              <div style={{ minWidth: 0 }}>
                {step.done ? (
                  <span className="ohma-soft">{t(`step.${step.id}`)}</span>
                ) : (
                  <Anchor component={Link} to={placeOf(step.id, data)} fw={step.id === next ? 600 : undefined}>
                    {t(`step.${step.id}`)}
                  </Anchor>
                )}
                {step.id === next && <p className="ohma-soft">{t(`step.${step.id}.text`)}</p>}
              </div>
            </Group>
          </li>
        ))}
      </Stack>
    </Panel>
  )
}

/** Where a step is done; one that needs another first leads to that one’s place. */
function placeOf(step: Step, { offer_uuid, advertiser_uuid }: z.output<typeof firstSteps>): string {
  switch (step) {
    case 'settings':
      return screenHref('settingsGeneral')
    case 'mail':
      return screenHref('settingsSmtp')
    case 'advertiser':
      return screenHref('advertiserCreate')
    case 'affiliate':
      return screenHref('affiliateCreate')
    case 'offer':
    case 'click':
      return offer_uuid === null ? screenHref('offerCreateDirect') : screenHref('offerDetailDirect', { uuid: offer_uuid })
    case 'postback':
      return advertiser_uuid === null
        ? screenHref('advertiserCreate')
        : `${screenHref('advertiserEdit', { uuid: advertiser_uuid })}?tab=postback`
  }
}
