import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PassedOver } from '#contract/leads/lead.ts'
import type { ReadLead, SentBody } from '#server/rules/lead/sender/read-lead.ts'
import type { SessionRow } from '../session/session.queries.ts'
import type { LeadOwner } from '../lead-api/lead-owner.ts'
import type { Registered, Told } from './sender.queries.ts'

type Asked = Omit<Registered, keyof LeadOwner>

/** How systems of one kind push leads and ask what became of them. */
export type SenderDialect = {
  sendTo: readonly string[]
  /** What it lists that is the same for everybody. */
  constants?: { urls: readonly string[]; list: readonly object[] }
  pullFrom: { method: 'GET' | 'POST'; urls: readonly string[] }
  /** The API key a request carries; '' where there is none. */
  keyOf(headers: IncomingHttpHeaders): string
  /** The field that names the affiliate, which must be the key's. */
  affiliate: string
  read(body: SentBody): ReadLead & { refused: Record<string, string> }
  /** What became of a lead that was taken in; `login`: where the person goes on, '' where nowhere. */
  answer(reply: FastifyReply, row: SessionRow, login: string): FastifyReply
  refuse(reply: FastifyReply, status: number, code: string, text: string): FastifyReply
  /** What a pull asks for. Throws `invalid_input` by name. */
  asked(request: FastifyRequest, now: number): Asked
  tell(reply: FastifyReply, told: { list: readonly Told[]; all: number }, asked: Asked): FastifyReply
}

/** Whether somebody took the lead, or may still. */
export function isTaken({ status }: Pick<SessionRow, 'status'>): boolean {
  return !['rejected', 'duplicate', 'unsold'].includes(status)
}

/** Why nobody took it, in words that other systems look for. */
export function refusalOf({ status, reason }: Pick<SessionRow, 'status' | 'reason'>): string {
  if (status === 'duplicate') return 'Duplicate: this lead already exists'
  if (status === 'unsold') return UNSOLD[reason] ?? 'Nobody takes this lead now'
  return `Rejected${reason === '' ? '' : `: ${reason}`}`
}

const UNSOLD: Readonly<Record<string, string>> = {
  geo_not_allowed: 'Country is not allowed',
  out_of_hours: 'Out of working hours',
  cap_reached: 'Cap reached',
  fields_missing: 'A field this country needs is missing',
} satisfies Record<PassedOver, string>
