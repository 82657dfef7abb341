import { Alert, Anchor, Button, Group, Loader } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Link } from 'react-router'
import type { LookedFor, TestedClick, TestLink } from '#web/features/traffic/test-api/use-test-click.ts'
import { ErrorState } from '#web/kit/feedback/error-state.tsx'
import { Facts } from '#web/kit/page/facts.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { CopyText } from '#web/kit/show/copy-text.tsx'
import { Country } from '#web/kit/show/country.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import { ScreenLink } from '#web/shell/screen-link.tsx'
import { simulatorHref } from '#web/simulator-address.ts'

/** The second step: the link is followed as a visitor would, and what became of the click shows here. */
export function TestClick({ link, looked }: { link: TestLink | null; looked: LookedFor }) {
  const { t } = useTranslation('testApi')
  const { click, looking, late, error, follow, again } = looked
  return (
    <Panel title={t('click.title')} {...(link !== null && { text: t('click.text') })}>
      {link === null && <p className="ohma-soft">{t('click.first')}</p>}
      {link !== null && (
        <Group gap="8px 14px">
          <Button
            component="a"
            href={link.url}
            target="_blank"
            rel="noopener noreferrer"
            variant={click === undefined ? 'filled' : 'default'}
            leftSection={<IconExternalLink size={16} aria-hidden />}
            onClick={follow}
          >
            {t(click === undefined ? 'click.follow' : 'click.followAgain')}
          </Button>
          <span className="ohma-soft">{t('click.whose', { offer: link.title, affiliate: link.affiliate })}</span>
        </Group>
      )}
      <div role="status">
        {looking && (
          <Group gap={8}>
            <Loader size={14} />
            {t('click.waiting')}
          </Group>
        )}
        {late && (
          <Alert color="var(--ohma-waiting)" title={t('click.late')}>
            <p>{t('click.lateText')}</p>
            <Group gap={14} mt={8}>
              <Button size="compact-sm" variant="default" onClick={again}>
                {t('click.again')}
              </Button>
              <Anchor component={ScreenLink} to="system">
                {t('click.system')}
              </Anchor>
            </Group>
          </Alert>
        )}
      </div>
      {error !== null && <ErrorState what={t('click.failed')} error={error} onRetry={again} />}
      {click !== undefined && <Became click={click} />}
    </Panel>
  )
}

/** What the tracker made of the click. */
function Became({ click }: { click: TestedClick }) {
  const { t } = useTranslation('testApi')
  const { t: of } = useTranslation('click')
  const { t: word } = useTranslation('dimension')
  const { t: report } = useTranslation('report')
  // codes the file does not know stay as they are
  const code = (text: string) => text && report(`code.${text}` as 'code.desktop', { defaultValue: text })
  const again = simulatorHref(click)
  const passed = click.reason === ''
  const facts: (readonly [name: string, value: ReactNode])[] = [
    [
      t('click.outcome'),
      <span key="outcome">
        <StatusBadge tone={passed ? 'good' : 'bad'} label={t(passed ? 'click.passed' : 'click.refused')} /> {code(click.reason)}
      </span>,
    ],
    [of('at'), <Moment key="at" at={click.at} />],
    [of('clickId'), click.click_id && <CopyText key="id" text={click.click_id} />],
    [word('landing'), click.landing.label],
    [word('geo'), click.geo && <Country key="geo" code={click.geo} />],
    [word('device'), [code(click.device), click.os, click.browser].filter(Boolean).join(' · ')],
    [of('flags'), click.flags.map((flag) => of(`flag.${flag}` as 'flag.bot', { defaultValue: flag })).join(', ')],
    ...click.subs.map((sub, index) => [word(`sub${index + 1}` as 'sub1'), sub] as const),
  ]
  return (
    <>
      {click.kind !== 'test' && <Alert color="var(--ohma-waiting)">{t('click.notTest')}</Alert>}
      <Facts of={facts.filter(([_name, value]) => value !== '' && value !== null)} />
      <Group gap="6px 18px">
        {click.click_id !== null && (
          <Anchor component={ScreenLink} to="statisticDirectClicks" search={`?${new URLSearchParams({ click: click.click_id })}`}>
            {t('click.whole')}
          </Anchor>
        )}
        {again !== undefined && (
          <Anchor component={Link} to={again}>
            {of('again')}
          </Anchor>
        )}
      </Group>
    </>
  )
}
