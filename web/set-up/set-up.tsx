import { Button, Progress } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState, type ComponentType } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Link, useSearchParams } from 'react-router'
import { dashboardApi } from '#contract/network/dashboard.ts'
import { authApi } from '#contract/people/auth.ts'
import { query } from '#web/api/query.ts'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { screenHref } from '#web/shell/access.ts'
import { AdvertiserStep } from './advertiser-step.tsx'
import { DomainStep } from './domain-step.tsx'
import { LinkStep } from './link-step.tsx'
import { MailStep } from './mail-step.tsx'
import { ManagerStep } from './manager-step.tsx'
import { NetworkStep } from './network-step.tsx'
import { OfferStep } from './offer-step.tsx'
import style from './set-up.module.css'
import { doneOf, stepLeft, STEPS, type StepId, type StepProps, type There } from './steps.ts'

const PARTS: Readonly<Record<StepId, ComponentType<StepProps>>> = {
  network: NetworkStep,
  domain: DomainStep,
  mail: MailStep,
  manager: ManagerStep,
  advertiser: AdvertiserStep,
  offer: OfferStep,
  link: LinkStep,
}

/** Leads the first admin from an empty network to a click: each step saves at once, may be left out, and is found again at `?setup=`. */
export function SetUp() {
  const { t } = useTranslation('setUp')
  const found = useQuery({ ...query(dashboardApi.firstSteps, {}, { quiet: true }), staleTime: 0 })
  const me = useQuery(query(authApi.me, {}))
  return (
    <>
      <PageHeader
        title={t('title')}
        facts={[t('text')]}
        actions={
          <Button component={Link} to={screenHref('dashboard')} variant="default">
            {t('leave')}
          </Button>
        }
      />
      <QueryPage query={found} failed={t('failed')}>
        {(there) => me.data && <Guided there={there} currency={me.data.currency} />}
      </QueryPage>
    </>
  )
}

function Guided({ there, currency }: { there: There; currency: string }) {
  const { t } = useTranslation('setUp')
  const [search, setSearch] = useSearchParams()
  // a step is left by its own buttons, not because it is done: what it shows last may be a link that is shown once. Nor is the address
  // told of it: that would call somebody back who has just asked for another page
  const [left] = useState(() => stepLeft(there))
  const step = STEPS.find((one) => one === search.get('setup')) ?? left
  const at = STEPS.indexOf(step)
  const done = doneOf(there)
  const go = (to: StepId | undefined) => to && setSearch({ setup: to })
  const Part = PARTS[step]
  const heading = useHeadingOf(step)
  return (
    <div className={style.guided}>
      <nav className={style.steps} aria-label={t('steps')}>
        <p className={style.count}>{t('count', { at: at + 1, all: STEPS.length })}</p>
        <Progress value={(done.size / STEPS.length) * 100} size={4} aria-label={t('done', { done: done.size, all: STEPS.length })} />
        <ol>
          {STEPS.map((one, index) => (
            <li key={one} data-here={one === step || undefined}>
              <Link to={`?setup=${one}`} aria-current={one === step ? 'step' : undefined}>
                <span className={style.mark} data-done={done.has(one) || undefined}>
                  {done.has(one) ? <IconCheck size={14} role="img" aria-label={t('isDone')} /> : index + 1}
                </span>
                {t(`step.${one}`)}
              </Link>
            </li>
          ))}
        </ol>
      </nav>
      <section className={style.part} aria-labelledby="set-up-step">
        <h2 id="set-up-step" ref={heading} tabIndex={-1}>
          {t(`step.${step}`)}
        </h2>
        <p className="ohma-soft">{t(`about.${step}`)}</p>
        <Part
          currency={currency}
          key={step}
          there={there}
          next={() => go(STEPS[at + 1])}
          back={at === 0 ? undefined : () => go(STEPS[at - 1])}
        />
      </section>
    </div>
  )
}

/** Whoever goes on by keyboard or hears the page begins at the head of the next step. */
function useHeadingOf(step: StepId) {
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    heading.current?.focus({ preventScroll: true })
    heading.current?.scrollIntoView({ block: 'nearest' })
  }, [step])
  return heading
}
