import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, type ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Link, useLocation, useNavigate, useNavigation, useParams } from 'react-router'
import type { z } from 'zod'
import type { CallInput, CallOutput, Endpoint } from '#contract/endpoint.ts'
import { href, SCREEN_IDS, screenOf, type ScreenId } from '#contract/screens.ts'
import { query } from '#web/api/query.ts'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'

/** An endpoint that answers one thing by its uuid or its number. */
type DetailEndpoint = Endpoint<z.ZodType<unknown, { uuid: string }>>

type DetailPageProps<E extends DetailEndpoint> = {
  /** The screen this is; its address carries `:uuid`. */
  screen: ScreenId
  endpoint: E
  /** What the page says when the thing cannot be loaded: "This affiliate could not be loaded". */
  failed: string
  /** The uuid the address should carry. */
  uuidOf: (found: CallOutput<E>) => string
  /** What others decide shows by itself: it is loaded anew when somebody looks at the page again, and twice a minute. */
  live?: true
  children: (found: CallOutput<E>) => ReactNode
}

/** A page about one thing, by the uuid or the number in its address: links by number work, and the address is corrected to the uuid. */
export function DetailPage<E extends DetailEndpoint>({ screen, endpoint, failed, uuidOf, live, children }: DetailPageProps<E>) {
  const { uuid = '' } = useParams()
  const navigate = useNavigate()
  const { search } = useLocation()
  const { state } = useNavigation()
  const found = useQuery({
    ...query(endpoint, { params: { uuid } } as CallInput<E>), // the params DetailEndpoint promises
    ...(live && { refetchOnWindowFocus: 'always', refetchInterval: 30_000 }),
  })

  const known = found.data === undefined ? undefined : uuidOf(found.data)
  useEffect(() => {
    // whoever is on the way to another page is not called back
    if (known !== undefined && known !== uuid && state === 'idle') void navigate(href(screen, { uuid: known }) + search, { replace: true })
  }, [known, uuid, screen, search, state, navigate])

  if (found.data === undefined && NEVER_THERE.some((code) => found.error?.has(code))) return <Missing screen={screen} />
  return (
    // another thing is another page: nothing typed for the one may be shown for the other
    <QueryPage key={known ?? uuid} query={found} failed={failed}>
      {children}
    </QueryPage>
  )
}

/** The codes of what another try cannot change: the address is none, or nothing is there. */
const NEVER_THERE = [400, 404]

function Missing({ screen }: { screen: ScreenId }) {
  const { t } = useTranslation('kit')
  const list = SCREEN_IDS.find((id) => id === screenOf(screen).parent)
  return (
    <>
      <PageHeader title={t('missing.title')} />
      <p className="ohma-soft">{t('missing.text')}</p>
      {list && (
        <Button component={Link} to={href(list)} variant="default" style={{ alignSelf: 'start' }}>
          {t('missing.back')}
        </Button>
      )}
    </>
  )
}
