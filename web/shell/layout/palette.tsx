import { Kbd, ModalTitle, useMantineColorScheme } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { createSpotlight, Spotlight, useSpotlight } from '@mantine/spotlight'
import { IconArrowDown, IconArrowUp, IconPlus, IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useNavigate } from 'react-router'
import { href, SCREEN_IDS, screenOf, SCREENS } from '#contract/screens.ts'
import { commandsHere } from '#web/kit/page/commands.ts'
import { useScreens } from '#web/shell/access.ts'
import { NavIcon } from '#web/shell/layout/nav-icon.tsx'
import { pageOf } from '#web/shell/page.ts'
import { signOut } from '#web/shell/session.ts'
import '@mantine/spotlight/styles.css'
import classes from '#web/shell/layout/layout.module.css'

const [store, palette] = createSpotlight()
const LIST = 'palette-hits'

/** Ctrl/⌘ K: any screen or action by its name, any thing by its id or name. `opened` counts how often it was asked for. */
export function Palette({ opened, onKeys }: { opened: number; onKeys: () => void }) {
  const { t } = useTranslation('layout')
  const screen = useTranslation('screen')
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  useEffect(() => palette.open(), [opened])

  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const screens = useScreens()
  const fits = ({ label, words = '' }: { label: string; words?: string }) => hasWords(`${label} ${words}`, typed)
  // the gallery of the kit is for who builds Ohma
  const all = SCREEN_IDS.filter((id) => screens.has(id) && screenOf(id).redirect === undefined && !SCREENS[id].path.includes(':'))
    .filter((id) => id !== 'ohmaGallery')
    .map((id) => ({ id, label: screen.t(id), words: SCREENS[id].path.includes('/create') ? t('palette.create') : '' }))
    .filter(fits)
  const places = all.filter(({ words }) => words === '')
  const scheme = colorScheme === 'dark' ? 'light' : 'dark'
  const here = commandsHere().filter(fits)
  const actions: { id: string; label: string; words?: string; icon?: ReactNode; run: () => void }[] = [
    ...all
      .filter(({ words }) => words !== '')
      .map(({ id, label, words }) => ({
        id,
        label,
        words,
        icon: <IconPlus size={16} aria-hidden />,
        run: () => void navigate(SCREENS[id].path),
      })),
    { id: 'theme', label: t(`palette.theme.${scheme}`), run: () => setColorScheme(scheme) },
    { id: 'keys', label: t('keys.title'), run: onKeys },
    { id: 'logOut', label: t('logOut'), run: () => void signOut() },
  ].filter(fits)
  const found = useSearch(typed)
  const none = places.length === 0 && actions.length === 0 && (here.length === 0 || typed.trim() === '') && found.empty
  const list = { id: `${LIST}-box`, ...(none ? {} : { role: 'listbox', 'aria-label': t('palette.found') }) }
  const { selected } = useSpotlight(store)
  // the options are counted as they stand: screen readers hear the one the arrow keys came to
  useEffect(() =>
    document.querySelectorAll(`#${LIST} [data-action]`).forEach((option, place) => {
      option.id = `${LIST}-${place}`
      option.setAttribute('aria-selected', String(place === selected))
    }),
  )

  return (
    <Spotlight.Root
      store={store}
      query={typed}
      onQueryChange={setTyped}
      shortcut={null}
      scrollable
      maxHeight={420}
      size={620}
      overlayProps={{ blur: 2, backgroundOpacity: 0.35 }}
      classNames={{ actionDescription: classes.found }}
    >
      <ModalTitle className="ohma-silent">{t('search')}</ModalTitle>
      <Spotlight.Search
        role="combobox"
        aria-expanded
        aria-autocomplete="list"
        aria-controls={`${LIST}-box`}
        aria-activedescendant={selected >= 0 && !none ? `${LIST}-${selected}` : undefined}
        aria-label={t('palette.placeholder')}
        placeholder={t('palette.placeholder')}
        leftSection={<IconSearch size={18} aria-hidden />}
        onKeyDown={(event) => {
          // Enter without a choice means the first hit
          if (event.key === 'Enter' && store.getState().selected < 0) firstHit()?.click()
        }}
      />
      {/* the list hands on what its scroll area takes, though its type does not say so */}
      <Spotlight.ActionsList id={LIST} {...{ viewportProps: list }}>
        {found.groups.map(
          ({ id, opens, hits }) =>
            hits.length > 0 && (
              <Hits key={id} label={screen.t(id)}>
                {hits.map(({ uuid, label, detail, at }) => (
                  <Spotlight.Action
                    {...OPTION}
                    key={uuid}
                    label={label}
                    description={detail}
                    onClick={() => void navigate(at ?? href(opens, { uuid }))}
                  />
                ))}
              </Hits>
            ),
        )}
        {here.length > 0 && typed.trim() !== '' && (
          <Hits label={t('palette.here')}>
            {here.map(({ id, label, run }) => (
              <Spotlight.Action {...OPTION} key={id} label={label} onClick={run} />
            ))}
          </Hits>
        )}
        {places.length > 0 && (
          <Hits label={t('palette.screens')}>
            {places.map(({ id, label }) => (
              <Spotlight.Action
                {...OPTION}
                key={id}
                label={label}
                leftSection={<NavIcon id={id} />}
                onClick={() => void navigate(SCREENS[id].path)}
              />
            ))}
          </Hits>
        )}
        {actions.length > 0 && (
          <Hits label={t('palette.actions')}>
            {actions.map(({ id, label, icon, run }) => (
              <Spotlight.Action {...OPTION} key={id} label={label} leftSection={icon} onClick={run} />
            ))}
          </Hits>
        )}
        {none && <Spotlight.Empty>{found.loading ? t('palette.looking') : t('palette.none')}</Spotlight.Empty>}
      </Spotlight.ActionsList>
      <Spotlight.Footer fz={12.5} c="dimmed">
        <Kbd size="xs">
          <IconArrowUp size={10} aria-label="↑" />
        </Kbd>{' '}
        <Kbd size="xs">
          <IconArrowDown size={10} aria-label="↓" />
        </Kbd>{' '}
        {t('palette.choose')} · <Kbd size="xs">Enter</Kbd> {t('palette.open')}
      </Spotlight.Footer>
    </Spotlight.Root>
  )
}

const OPTION = { role: 'option', 'aria-selected': false } as const

function Hits({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Spotlight.ActionsGroup label={label} role="group" aria-label={label}>
      {children}
    </Spotlight.ActionsGroup>
  )
}

/** Whether each word that was typed begins a word of the label: "new offer" finds "New direct-link offer". */
function hasWords(label: string, typed: string): boolean {
  const words = label.toLocaleLowerCase().split(/[^\p{L}\d]+/u)
  const wanted = typed.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  return wanted.every((part) => words.some((word) => word.startsWith(part)))
}

function firstHit(): HTMLElement | null {
  return document.querySelector<HTMLElement>(`#${LIST} [data-action]`)
}

/** What the features find, from two characters or one digit on. */
function useSearch(typed: string) {
  const screens = useScreens()
  const [settled] = useDebouncedValue(typed.trim(), 180)
  const enough = settled.length >= 2 || /^\d$/.test(settled)
  const searches = SCREEN_IDS.flatMap((id) => {
    const search = pageOf(id)?.search
    return search !== undefined && screens.has(search.opens) ? [{ id, ...search }] : []
  })
  const results = useQueries({
    queries: searches.map(({ id, find }) => ({
      queryKey: ['palette', id, settled],
      queryFn: ({ signal }: { signal: AbortSignal }) => find(settled, signal),
      enabled: enough,
      placeholderData: keepPreviousData,
    })),
  })
  const groups = searches.map(({ id, opens }, index) => ({ id, opens, hits: enough ? (results[index]?.data ?? []) : [] }))
  return { groups, empty: groups.every(({ hits }) => hits.length === 0), loading: results.some(({ isFetching }) => isFetching) }
}
