import { z } from 'zod'
import { STAFF_ROLES, type Role } from '#contract/access.ts'
import { endpoint } from '#contract/endpoint.ts'
import { byUuid, contacts, line, moment, paragraph, personal, reference, someOf, statusChange, uuid, version } from '#contract/fields.ts'
import { listOf, paging, sorting } from '#contract/paging.ts'
import { figuresAsked, figureTotals, FIGURES, figuresShown } from '#contract/traffic/figures.ts'
import { accountFields, handedOver } from '#contract/people/account.ts'
import { blankOf, stored } from '#contract/shape.ts'

/** Only `active` managers sign in; blocking one ends its sessions. */
export const MANAGER_STATUSES = ['active', 'blocked', 'deleted'] as const
export const managerStatus = z.enum(MANAGER_STATUSES)

export const MANAGER_TYPES = ['affiliate', 'advertiser', 'support', 'finance', 'head'] as const
export const managerType = z.enum(MANAGER_TYPES)

const staffRole = z.enum(STAFF_ROLES)

/** Whom a role sees, makes and changes under Managers; a team lead only within the own team. */
export const MANAGED_ROLES: Readonly<Record<Role, readonly (typeof STAFF_ROLES)[number][]>> = {
  admin: STAFF_ROLES,
  head: ['manager', 'team lead'],
  'team lead': ['manager'],
  manager: [],
  affiliate: [],
}

/** What may be edited of a manager: forms, answers, and the columns read and written follow from it. */
export const managerFields = { type: managerType, contacts: personal(contacts), notes: paragraph() }

export const managerInput = z.object({
  ...accountFields,
  ...managerFields,
  role: staffRole,
  /** Only managers have one; a team lead's own people always report to that lead. */
  team_lead_uuid: uuid.nullable(),
})
export type ManagerInput = z.input<typeof managerInput>
export const managerUpdate = managerInput.extend({ version })

/** The form of a new manager; the zone is the network's. */
export const blankManager = blankOf(managerInput, { role: 'manager', type: 'affiliate' })

/**
 * What becomes of what managers have who are blocked or deleted: to whom their accounts go and who leads their team, null for
 * nobody. What is not said stays with who is blocked; of who is deleted it has to be said where there is any.
 */
const taker = z.uuid('Choose somebody').nullable().optional()
const handOver = z.object({ manager_uuid: taker, team_lead_uuid: taker })
export type HandOver = z.output<typeof handOver>

export const managerDetail = z.object({
  uuid,
  id: z.int(),
  ...stored(accountFields),
  ...stored(managerFields),
  status: managerStatus,
  role: staffRole,
  team_lead: reference.nullable(),
  /** How many affiliates and advertisers are theirs. */
  affiliates: z.int(),
  advertisers: z.int(),
  /** How many report to them. */
  team: z.int(),
  created_at: moment,
  last_login_at: moment.nullable(),
  version,
})

export const manager = managerDetail.omit({ contacts: true, notes: true, time_zone: true, version: true })

/** A manager in a list. */
export const managerRow = manager.extend(figuresShown)

export const managerFilters = z.object({
  ...paging,
  ...sorting([
    'id',
    'name',
    'email',
    'role',
    'type',
    'status',
    'team_lead',
    'affiliates',
    'advertisers',
    'created_at',
    'last_login_at',
    ...FIGURES,
  ]),
  ...figuresAsked,
  search: line(100).default(''),
  /** None = all but deleted ones. */
  status: someOf(managerStatus),
  role: someOf(staffRole),
  type: someOf(managerType),
  team_lead_uuid: z.array(uuid).max(100).default([]),
})

/** Managers: the people of the network. */
export const managerApi = {
  list: endpoint({
    method: 'POST',
    path: '/api/manager/v1/list',
    access: 'manager.read',
    reads: true,
    summary: 'The people one manages.',
    body: managerFilters,
    response: listOf(managerRow, figureTotals),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/manager/v1/get/:uuid',
    access: 'manager.read',
    summary: 'One of them.',
    params: byUuid,
    response: managerDetail,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/manager/v1/create',
    access: 'manager.write',
    key: 'never',
    summary:
      'Makes a manager of a role one may manage; its set-password link is mailed, or answered to admin and head before mail is set up.',
    body: managerInput,
    response: z.object({ uuid, id: z.int(), ...handedOver }),
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/manager/v1/update/:uuid',
    access: 'manager.write',
    key: 'never',
    summary: 'Changes a manager; nobody changes their own role.',
    params: byUuid,
    body: managerUpdate,
    response: managerDetail,
  }),
  setStatus: endpoint({
    method: 'POST',
    path: '/api/manager/v1/set-status',
    access: 'manager.write',
    key: 'never',
    summary:
      'Gives up to 1,000 managers one status, and hands over what those have who leave. Nobody blocks themself, and the last admin stays.',
    body: statusChange(managerStatus).extend({ hand_over: handOver.default({}) }),
    response: z.object({ changed: z.int() }),
  }),
  undo: endpoint({
    method: 'POST',
    path: '/api/manager/v1/undo',
    access: 'manager.write',
    key: 'never',
    summary:
      'Gives up to 1,000 managers the status they had before the actor gave them this one, and back what was handed over with it. What somebody changed since stays; where nothing is left it is a `conflict`.',
    body: statusChange(managerStatus).omit({ expected: true }),
    response: z.object({ changed: z.int() }),
  }),
  options: endpoint({
    method: 'POST',
    path: '/api/manager/v1/options',
    access: 'affiliate.read',
    reads: true,
    summary:
      'Managers to choose from, in the own scope; at most 50. A search that is a uuid finds one of any status. `role` narrows, for a team lead to choose.',
    body: z.object({ search: line(100).default(''), role: someOf(staffRole) }),
    response: z.object({ list: z.array(reference) }),
  }),
  passwordLink: endpoint({
    method: 'POST',
    path: '/api/manager/v1/password-link/:uuid',
    access: 'manager.write',
    key: 'never',
    summary:
      'Makes a fresh one-time set-password link and mails it; admin and head are shown it before mail is set up, and where they ask for it.',
    params: byUuid,
    body: z.object({ show: z.boolean().default(false) }),
    response: z.object(handedOver),
  }),
}
