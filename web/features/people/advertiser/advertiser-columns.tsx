import { IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import type { z } from 'zod'
import { ADVERTISER_STATUSES, advertiserApi, type advertiser } from '#contract/people/advertiser.ts'
import { copied, count, idColumn, moment, reference, status, text, type Columns } from '#web/kit/list/columns.tsx'
import { statusSet } from '#web/kit/status/status-look.ts'

/** Where an advertiser stands, and what staff make of it. */
export const ADVERTISER_STATUS = statusSet({
  texts: 'advertiser',
  values: ADVERTISER_STATUSES,
  tones: { active: 'good', inactive: 'muted', deleted: 'bad' },
  endpoint: advertiserApi.setStatus,
  refresh: [advertiserApi.list, advertiserApi.get],
  moves: [
    { text: 'deactivate', to: 'inactive', from: ['active'], icon: IconPlayerPause },
    { text: 'activate', to: 'active', icon: IconPlayerPlay },
    { text: 'delete', to: 'deleted', icon: IconTrash, danger: true },
  ],
})

/** The columns of advertisers, wherever they are listed. */
export const ADVERTISER_COLUMNS: Columns<z.output<typeof advertiser>, 'advertiser'> = [
  idColumn({ width: 76 }),
  text('name', { sort: true, width: 190, grow: true, card: 'title' }),
  copied('email', { width: 220 }),
  status(ADVERTISER_STATUS, { sort: true }),
  reference('manager', { width: 145, card: 'field' }),
  count('offers', { width: 80, card: 'field' }),
  text('currency', { width: 95, card: 'field' }),
  moment('created_at', { sort: true }),
]
