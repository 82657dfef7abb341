import { Button, CloseButton, Loader } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallInput, CallOutput, Endpoint } from '#contract/endpoint.ts'
import { LEFT_OUT, leadListApi, type LeftOut } from '#contract/leads/lead-list.ts'
import { query, useSave } from '#web/api/query.ts'
import { integer } from '#web/format.ts'
import type { List } from '#web/kit/list/use-list.ts'
import { notify } from '#web/notify.ts'
import classes from '#web/kit/list/list.module.css'

type Candidate = { uuid: string; left_out: LeftOut | null }
type Chosen<Row extends Candidate> = { list: List<Row>; all: boolean; chooseAll: () => void; clear: () => void }

/** Rows of a list that are chosen one by one, or all that its filters match: those the server finds, not those that were loaded. */
export function useChosenRows<Row extends Candidate>(list: List<Row>): Chosen<Row> {
  // all of one result: another one, however the address came to ask for it, begins with none
  const result = JSON.stringify(list.url.filters)
  const [everything, setEverything] = useState<string>()
  const all = everything === result
  const shown = new Set((list.rows ?? []).flatMap((row) => (row.left_out === null ? [list.rowKey(row)] : [])))
  return {
    all,
    chooseAll: () => setEverything(result),
    clear: () => {
      setEverything(undefined)
      list.select(new Set())
    },
    list: {
      ...list,
      selection: all ? shown : list.selection,
      select: (selection) => {
        setEverything(undefined)
        list.select(selection)
      },
    },
  }
}

type Counted = Pick<typeof leadListApi, 'trySessions' | 'addSessions' | 'tryConversions' | 'addConversions'>

type AddBarProps<Row extends Candidate> = {
  uuid: string
  chosen: Chosen<Row>
  tried: Counted['trySessions' | 'tryConversions']
  added: Counted['addSessions' | 'addConversions']
  shown: Endpoint
}

/** How many people the chosen rows would add, and how many not, by reason; then adds them. */
export function AddBar<Row extends Candidate>({ uuid, chosen: { list, all, chooseAll, clear }, tried, added, shown }: AddBarProps<Row>) {
  const { t } = useTranslation('leadList')
  const uuids = [...list.selection]
  const asked = all ? { matching: list.asked } : { uuids }
  const input = { params: { uuid }, body: asked } as CallInput<typeof leadListApi.trySessions> // either takes the filters of its own list
  const isChosen = all || uuids.length > 0
  const found = useQuery({
    ...query(tried as typeof leadListApi.trySessions, input), // they answer alike
    enabled: isChosen,
    placeholderData: keepPreviousData,
  })
  const add = useSave(added as typeof leadListApi.addSessions, {
    invalidate: [shown, leadListApi.get, leadListApi.list, leadListApi.items, tried],
    onSuccess: (done) => {
      const said = t('added', { count: done.added, number: integer(done.added) })
      const left = skippedOf(done)
      notify.success(left === '' ? said : t('addedSkipped', { added: said, skipped: left }))
      clear()
    },
  })
  const skippedOf = ({ left_out }: CallOutput<typeof leadListApi.trySessions>) => {
    const sum = Object.values(left_out).reduce((total, rows) => total + rows, 0)
    const reasons = LEFT_OUT.flatMap((one) => (left_out[one] ? t(`skipped.${one}`, { number: integer(left_out[one]) }) : []))
    return sum === 0 ? '' : t('skipped', { number: integer(sum), reasons: reasons.join(', ') })
  }
  if (list.count === 0) return null
  const { data } = found
  const isOver = !isChosen && list.rows?.length === list.count && list.rows.every(({ left_out: left }) => left !== null)
  // all that match, up to when they were counted: none that came since
  const settled = all && data !== undefined ? { ...input, body: { matching: { ...list.asked, until: data.until } } } : input
  const counting = found.isFetching && (found.isPlaceholderData || data === undefined)
  return (
    <div className={classes.bulk} role="region" aria-label={t('add')}>
      <span className="ohma-number" role="status">
        {isOver ? t('nobodyLeft') : t(all ? 'chosenAll' : 'chosen', { number: all ? list.counted : integer(uuids.length) })}
      </span>
      {!all && !isOver && (
        <Button variant="subtle" size="compact-sm" onClick={chooseAll}>
          {t('chooseAll', { number: list.counted })}
        </Button>
      )}
      {isChosen && (
        <>
          {counting ? (
            <span className="ohma-soft">
              <Loader size={14} /> {t('counting')}
            </span>
          ) : (
            data !== undefined && <span className="ohma-soft">{skippedOf(data)}</span>
          )}
          <Button
            size="compact-sm"
            disabled={counting || data === undefined || data.added === 0}
            loading={add.isPending}
            onClick={() => add.mutate(settled as typeof input)}
          >
            {t('addCount', { number: integer(data?.added ?? 0) })}
          </Button>
          <CloseButton size="sm" aria-label={t('chooseNone')} onClick={clear} />
        </>
      )}
    </div>
  )
}
