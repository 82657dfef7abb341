import type { FastifyRequest } from 'fastify'

/** From where and by what a request came, as the histories of sign-ins and changes keep it. */
export function deviceOf(request: FastifyRequest): { address: string; device: string } {
  return { address: request.ip, device: request.headers['user-agent'] ?? '' }
}
